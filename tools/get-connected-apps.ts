import { z } from "zod";
import { formatApps } from "../src/domain/accounts/connected-apps.text.ts";
import { AppLimits } from "../src/domain/accounts/connected-apps.ts";
import { outsideTextNotice, Success } from "../src/domain/answers.ts";
import { outsideText } from "../src/domain/outside-text.ts";
import { Amount } from "../src/domain/trading/trading.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { plainText } from "../src/lib/plain-text.ts";

const MAX_TEXT = 100;

/** Returns the apps that may act for the account of the caller. */
export const getConnectedApps = defineTool({
  name: "get_connected_apps",
  title: "Get connected apps",
  description:
    "Lists the connected apps: applications that a person allowed to act for this account, each with its permissions, last call, orders and limits. Use it for which apps are allowed, or what each may do. disconnect_app removes one; get_usage has the calls of keys.",
  topics: [
    "connected apps",
    "apps with access",
    "app permissions",
    "authorized applications",
    "limits of an app",
    "last use of an app",
  ],
  toolset: "system",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/apps",
  listed: "toolset",
  cli: { command: "apps" },
  needs: ["connectedApps"],
  input: z.object({}),
  output: z.object({
    ok: Success,
    apps: z
      .array(
        z.object({
          client_id: z.string(),
          name: z.string().nullable().describe("As the app calls itself; not verified"),
          uri: z.string().nullable().describe("Address that the app states; not verified"),
          scopes: z.array(z.string()),
          connected_at: z.iso.datetime(),
          last_used_at: z.iso.datetime().nullable().describe("null: not used yet"),
          calls_today: z.number().int().describe("Calls of this day (UTC), including failed ones"),
          calls_30_days: z.number().int(),
          orders_30_days: z.number().int().describe("Paper and live orders"),
          live_usd_24_hours: Amount.describe("Notional of the live orders within 24 hours, US dollars"),
          limits: AppLimits,
        }),
      )
      .describe("Newest first"),
    outside_text: outsideTextNotice(outsideText("name, uri and client_id")),
  }),
  examples: [{ ask: "Which apps are connected to my account?", input: {} }],
  terminal: ({ apps }, paint) => formatApps(apps, paint).join("\n"),

  async handler(_, { connectedApps, principal }) {
    const apps = await connectedApps.apps(principal.account);
    return {
      apps: apps.map(({ name, uri, scopes, ...app }) => ({
        ...app,
        name: name === null ? null : plainText(name, MAX_TEXT),
        uri: uri === null ? null : plainText(uri, MAX_TEXT),
        scopes: [...scopes],
      })),
    };
  },
});
