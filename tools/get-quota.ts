import { z } from "zod";
import { Success } from "../src/domain/answers.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the usage windows of the caller, including this call. */
export const getQuota = defineTool({
  name: "get_quota",
  title: "Get quota",
  description:
    "Returns the quota of a key: its plan or subscription tier, scopes, and the API calls or requests remaining of the rate limit (burst and day). Use it for calls left or used today, remaining usage, the daily allowance, or after a limit error (RATE_LIMITED). The state of the server is in get_health.",
  topics: [
    "quota",
    "rate limit",
    "calls left",
    "api usage",
    "daily allowance",
    "subscription tier",
    "key scopes",
  ],
  toolset: "system",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/quota",
  listed: "toolset",
  cli: { command: "quota" },
  needs: ["meters"],
  input: z.object({}),
  output: z.object({
    ok: Success,
    plan: z.string(),
    scopes: z.array(z.string()),
    windows: z.array(
      z.object({
        name: z
          .enum(["burst", "daily", "assistant", "app"])
          .describe("assistant: questions; app: the connected app's own limit"),
        quota: z.number().int().describe("Calls"),
        window: z.number().int().describe("Seconds"),
        remaining: z.number().int(),
        reset: z.number().int().describe("Seconds left"),
      }),
    ),
  }),
  examples: [{ ask: "How many calls do I have left today?", input: {} }],
  terminal({ plan, scopes, windows }, paint) {
    return [
      `${paint("bold", plan)} plan, scopes ${scopes.join(", ")}`,
      ...windows.map(
        ({ name, quota, remaining, reset }) =>
          `${name.padEnd(9)} ${remaining} of ${quota} left, resets in ${reset} s`,
      ),
    ].join("\n");
  },

  async handler(_, { meters, principal }) {
    return {
      plan: principal.plan,
      scopes: [...principal.scopes],
      windows: [...(await meters.usage(principal))],
    };
  },
});
