import { z } from "zod";
import { Success } from "../src/domain/answers.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { plainText } from "../src/lib/plain-text.ts";

/** Ends the access of an app to the account of the caller. An app may end only its own. */
export const disconnectApp = defineTool({
  name: "disconnect_app",
  title: "Disconnect app",
  description:
    "Disconnects one app, which may not act for this account any longer: its tokens end at once. Use it to revoke, remove, deauthorize, sign out or cut off an application. An app can disconnect only itself. Ids are in get_connected_apps.",
  topics: [
    "disconnect an app",
    "revoke app access",
    "remove a connected app",
    "end the access of an app",
    "sign out an app",
  ],
  toolset: "system",
  plan: "member",
  effect: "write",
  destructive: true,
  route: "POST /api/v1/apps/disconnect",
  listed: "toolset",
  cli: { command: "revoke-app", positionals: ["client_id"] },
  needs: ["connectedApps"],
  input: z.object({
    client_id: z.string().min(1).max(2_000).describe("Id of the app, from get_connected_apps"),
  }),
  output: z.object({ ok: Success, client_id: z.string(), disconnected: z.literal(true) }),
  examples: [{ ask: "Disconnect the app abc", input: { client_id: "abc" } }],
  terminal: ({ client_id }, paint) =>
    `${paint("bold", plainText(client_id, 300))} disconnected; its tokens have ended`,

  async handler({ client_id }, { connectedApps, principal }) {
    const by = principal.keyId ?? principal.account;
    await connectedApps.disconnect(principal.account, client_id, by);
    return { client_id, disconnected: true as const };
  },
});
