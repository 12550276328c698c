import { createHash } from "node:crypto";
import type { Answer } from "../../support/oauth-app.ts";
import { ACCEPT, mcpCall } from "../proof-server.ts";
import { exampleOf, type Group, refusedTool, refusedWith } from "./kinds.ts";
import { type Connected, RESOURCE, type SignInSite, text } from "./site.ts";

const PAST = "2026-01-01T00:00:00.000Z";
const letters = (secret: string): string => secret.replaceAll(/[^A-Za-z]/g, "x").slice(0, 32);
const hashOf = (secret: string): string => createHash("sha256").update(secret.slice(6)).digest("base64url");

/** Access and refresh tokens: guessed, ended in every way, elsewhere than at MCP, for another purpose. */
export async function tokens(site: SignInSite): Promise<Group> {
  const ada = await site.invited("ada");
  const good = await site.connected(ada.cookie);
  const other = await site.connected(ada.cookie);
  /** Changes the stored row of a token. */
  const changed = async (set: Record<string, string>): Promise<string> => {
    const { access } = await site.connected(ada.cookie);
    await site.db.updateTable("auth_access_tokens").set(set).where("token", "=", hashOf(access)).execute();
    return access;
  };
  const ended = async (account: string, end: (app: Connected, account: string) => Promise<unknown>) => {
    const { cookie } = await site.invited(account);
    const app = await site.connected(cookie);
    await end(app, account);
    return app;
  };
  const revoked = await ended("revoker", ({ client, access }) =>
    site.form("/auth/oauth2/revoke", { client_id: client, token: access, token_type_hint: "access_token" }),
  );
  const disconnected = await ended("disconnecter", ({ client }, account) =>
    site.people.disconnect(account, client, "proof"),
  );
  const deleted = await ended("removed", (_, account) => site.app.accounts.delete(account, "proof"));
  const suspended = await ended("paused", (_, account) => site.app.accounts.suspend(account, "proof"));
  const disabled = await ended("disabler", ({ client }) =>
    site.db.updateTable("auth_clients").set({ disabled: 1 }).where("clientId", "=", client).execute(),
  );
  const expired = await changed({ expiresAt: PAST });
  const resources = [
    "https://other.example/api/mcp",
    `${RESOURCE}/`,
    `${RESOURCE}/sse`,
    RESOURCE.replace("https:", "http:"),
    RESOURCE.replace("/mcp", "/a2a"),
    RESOURCE.toUpperCase(),
  ];
  const forOthers = await Promise.all(
    resources.map((resource) => changed({ resources: JSON.stringify([resource]) })),
  );
  const bound = await changed({ confirmation: JSON.stringify({ jkt: text(32) }) });
  const refused = async (token: string) => refusedWith(await site.mcp(token), [401, 403]);
  const hello = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const bearer = { authorization: `Bearer ${good.access}` };
  const at: readonly (() => Promise<Answer>)[] = [
    () => site.send("/api/v1/quota", bearer),
    () => site.send("/api/v1/watchlists/mine", bearer, { symbols: ["AAPL"] }),
    () => site.send("/api/a2a", bearer, hello),
    () => site.send("/api/v1/a2a", bearer, hello),
    () => site.send("/api/v1/a2a/route", bearer, hello),
    () => site.send("/api/a2a/rest/tasks", bearer),
    () => site.send("/api/mcp/sse", { ...bearer, ...ACCEPT }),
    () => site.send("/api/mcp/sse/messages", { ...bearer, ...ACCEPT }, hello),
    () => site.send("/api//mcp", { ...bearer, ...ACCEPT }, hello),
    () => site.send("/api/v1/quotes/stream?symbols=AAPL", bearer),
    () => site.send(`/api/v1/quotes/stream?symbols=AAPL&stream_token=${good.access}`),
    () => site.send("/api/v1/stream-tokens", bearer, {}),
    () => site.send("/api/v1/accounts", bearer),
    () => site.send(`/api/v1/quota?access_token=${good.access}`),
    () => site.send(`/api/mcp?access_token=${good.access}`, ACCEPT, hello),
    () => site.send("/api/mcp", { ...ACCEPT, authorization: `Basic ${good.access}` }, hello),
    () => site.send("/api/mcp", { ...ACCEPT, authorization: `Bearer ${good.access}, Bearer x` }, hello),
    () => site.send("/api/mcp", { ...ACCEPT, "x-api-key": good.access }, hello),
    () => site.send("/api/mcp", { ...ACCEPT, cookie: `market_signal_session=${good.access}` }, hello),
    () => site.send("/api/v1/quota", { cookie: `market_signal_session=${good.access}` }),
  ];
  const noToken = (answer: Answer) => refusedWith(answer, [400, 401, 403]);
  const reading = await site.connected(ada.cookie, { scope: "read" });
  const beyond = site.app.registry.tools.filter(({ effect }) => effect !== "read");
  return {
    name: "tokens",
    kinds: [
      {
        name: "guessed",
        attempts: 600,
        attempt: (n) => refused([`ms_at_${letters(text(32))}`, `ms_at_${text(n % 60)}`, "ms_at_"][n % 3]!),
      },
      {
        name: "damaged",
        attempts: 300,
        attempt: (n) => {
          const place = 6 + (n % 32);
          const letter = good.access[place] === "a" ? "b" : "a";
          const tries = [
            good.access.slice(0, place),
            `${good.access.slice(0, place)}${letter}${good.access.slice(place + 1)}`,
            `${good.access}x`,
            good.access.replace("ms_at_", "ms_live_"),
            good.access.replace("ms_at_", "MS_AT_"),
            good.access.slice(6),
            `ms_at_${hashOf(good.access)}`,
          ];
          return refused(tries[n % tries.length]!);
        },
      },
      { name: "revoked", attempts: 100, attempt: () => refused(revoked.access) },
      { name: "expired in the database", attempts: 100, attempt: () => refused(expired) },
      { name: "of a disconnected app", attempts: 100, attempt: () => refused(disconnected.access) },
      { name: "of a deleted account", attempts: 100, attempt: () => refused(deleted.access) },
      { name: "of a suspended account", attempts: 100, attempt: () => refused(suspended.access) },
      { name: "of a disabled app", attempts: 100, attempt: () => refused(disabled.access) },
      {
        name: "for another resource",
        attempts: 150,
        attempt: (n) => refused(forOthers[n % forOthers.length]!),
      },
      { name: "bound to a key of the app", attempts: 50, attempt: () => refused(bound) },
      {
        name: "elsewhere than at MCP",
        attempts: 630,
        attempt: async (n) => refusedWith(await at[n % at.length]!(), [401, 403, 404]),
      },
      {
        name: "refresh token, key part or client id as access token",
        attempts: 150,
        attempt: (n) =>
          refused(
            [
              good.refresh,
              good.refresh.replace("ms_rt_", "ms_at_"),
              good.client,
              `ms_at_${good.client}`,
              ada.cookie.split("=")[1]!.split(".")[0]!,
              `ms_at_${ada.cookie.split("=")[1]!.split(".")[0]!}`,
            ][n % 6]!,
          ),
      },
      {
        name: "calling what was not allowed",
        attempts: 200,
        async attempt(n) {
          const tool = beyond[n % beyond.length]!;
          const answer = await site.mcp(reading.access, tool.name, exampleOf(tool));
          return refusedTool(answer);
        },
      },
      {
        name: "in a batch, calling what was not allowed",
        attempts: 100,
        async attempt(n) {
          const tool = beyond[n % beyond.length]!;
          const calls = ["get_quota", tool.name].map((name, id) => ({
            ...(mcpCall(name, id === 0 ? {} : exampleOf(tool)).body as object),
            id,
          }));
          const headers = { ...ACCEPT, authorization: `Bearer ${reading.access}` };
          const answer = await site.send("/api/mcp?toolsets=all", headers, calls);
          if (answer.status === 400) return null;
          return answer.body.includes("SCOPE_REQUIRED")
            ? null
            : `${answer.status} ${answer.body.slice(-400)}`;
        },
      },
      {
        name: "refreshed by another app or for more",
        attempts: 250,
        async attempt(n) {
          const tries = [
            () => site.refreshed(other.client, good.refresh),
            () => site.refreshed(good.client, good.refresh, { scope: "read write admin offline_access" }),
            () => site.refreshed(good.client, good.refresh, { resource: "https://other.example/api/mcp" }),
            () => site.refreshed(good.client, good.access),
            () => site.refreshed(good.client, `ms_rt_${letters(text(32))}`),
            () => site.refreshed("", good.refresh),
            () => site.refreshed(good.client, good.refresh, { client_secret: "x", client_id: other.client }),
          ];
          return noToken(await tries[n % tries.length]!());
        },
      },
      {
        name: "refreshed after the end",
        attempts: 150,
        async attempt(n) {
          const { client, refresh } = [disconnected, deleted, disabled][n % 3]!;
          return noToken(await site.refreshed(client, refresh));
        },
      },
      {
        name: "revoked by another app",
        attempts: 100,
        async attempt(n) {
          const token = n % 2 === 0 ? good.access : good.refresh;
          await site.form("/auth/oauth2/revoke", { client_id: n % 4 < 2 ? other.client : "", token });
          const answer = await site.mcp(good.access);
          return answer.status === 200 ? null : `the token ended: ${answer.status}`;
        },
      },
      {
        name: "of other grants",
        attempts: 100,
        async attempt(n) {
          const fields = [
            { grant_type: "client_credentials", client_id: good.client, scope: "read" },
            { grant_type: "password", client_id: good.client, username: "ada", password: "x" },
            { grant_type: "implicit", client_id: good.client },
            {
              grant_type: "urn:ietf:params:oauth:grant-type:device_code",
              client_id: good.client,
              device_code: "x",
            },
            {
              grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
              client_id: good.client,
              subject_token: good.access,
            },
            {
              grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
              client_id: good.client,
              assertion: "e30.e30.",
            },
          ][n % 6]!;
          return noToken(await site.form("/auth/oauth2/token", fields));
        },
      },
    ],
    async control() {
      const { status, body } = await site.mcp(good.access);
      if (status !== 200) return `the token is answered with ${status}: ${body}`;
      const renewed = await site.refreshed(good.client, good.refresh);
      return renewed.status === 200
        ? null
        : `the refresh token is answered with ${renewed.status}: ${renewed.body}`;
    },
  };
}
