import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { identityKey } from "../../../src/domain/accounts/issuer.ts";
import { install, REPLICAS, useInstallation } from "../../support/installation.ts";
import { type Claims, startIssuer } from "../../support/issuer.ts";
import { sendTo } from "../../support/oauth-app.ts";
import { suiteDir } from "../../support/temp-dir.ts";

const PUBLIC_URL = "https://market.example";
const RESOURCE = `${PUBLIC_URL}/api/mcp`;
const issuer = await startIssuer();
afterAll(() => issuer.close());
const site = useInstallation("sample", {
  PUBLIC_URL,
  TRUST_PROXY: "1",
  OAUTH_ISSUER: issuer.url,
  ...issuer.settings,
});
beforeEach(() => {
  Object.assign(issuer, { fault: {}, isDown: false });
});
let addresses = 0;
const send = (path: string, headers: Record<string, string> = {}, body?: object) =>
  sendTo(
    site.url,
    path,
    { host: "market.example", "x-forwarded-for": `10.0.0.${++addresses}`, ...headers },
    body,
  );

/** Invites a person who connected an identity of the issuer. */
async function identified(account: string, role: "member" | "viewer" = "member"): Promise<string> {
  const { token } = await site.app.peopleAdmin.invite({ account, role, plan: "enterprise" }, "test");
  const { cookies } = await send(`/open/${token}`, { origin: PUBLIC_URL });
  const cookie = cookies[0]!.split(";")[0]!;
  const { id } = await site.app.browserSessions.person(decodeURIComponent(cookie.split("=")[1]!));
  const at = new Date().toISOString();
  await site.app.store.db
    .insertInto("auth_credentials")
    .values({
      id: account,
      userId: id,
      providerId: "oidc",
      accountId: identityKey({ issuer: issuer.url, subject: account }),
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  return cookie;
}
const claimsOf = (sub: string, claims: Claims = {}): Claims => ({
  aud: RESOURCE,
  sub,
  client_id: "an-app",
  scope: "read openid",
  ...claims,
});
const mcp = (token: string, name: string, args: object = {}) =>
  send(
    "/api/mcp",
    { accept: "application/json, text/event-stream", authorization: `Bearer ${token}` },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  );
const quotaOf = async (token: string) => {
  const { status, body } = await mcp(token, "get_quota");
  const text = /^data: (.*)$/m.exec(body)?.[1] ?? body;
  return status === 200 ? JSON.parse(text).result.structuredContent : status;
};

describe("the resource server of an external issuer", () => {
  it("names the issuer, and has no authorization endpoints of its own", async () => {
    for (const path of ["", "/api/mcp"]) {
      const { status, body } = await send(`/.well-known/oauth-protected-resource${path}`);
      expect([status, JSON.parse(body)]).toEqual([
        200,
        {
          resource: RESOURCE,
          authorization_servers: [issuer.url],
          scopes_supported: ["read"],
          bearer_methods_supported: ["header"],
        },
      ]);
    }
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-authorization-server/auth",
      "/auth/oauth2/authorize",
    ])
      expect((await send(path)).status, path).toBe(404);
    const { status, headers } = await send("/api/mcp", {}, {});
    expect([status, headers["www-authenticate"]]).toEqual([
      401,
      expect.stringContaining(
        `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/api/mcp", scope="read"`,
      ),
    ]);
  });

  it("resolves the person, the app and the scopes of a token, and lists the app on their page", async () => {
    const cookie = await identified("ada");
    expect(await quotaOf(await issuer.token(claimsOf("ada")))).toMatchObject({
      plan: "enterprise",
      scopes: ["read"],
    });
    const more = claimsOf("ada", { scope: undefined, scp: ["read", "write", "admin"] });
    expect((await quotaOf(await issuer.token(more, { typ: "at+jwt" }))).scopes).toEqual(["read", "write"]);
    const azp = claimsOf("ada", {
      client_id: undefined,
      azp: "another-app",
      scope: undefined,
      scp: "read write",
    });
    expect((await quotaOf(await issuer.token(azp, { typ: "application/at+jwt" }))).scopes).toEqual([
      "read",
      "write",
    ]);
    await site.storeUsage();
    const last_used_on = new Date().toISOString().slice(0, 10);
    expect(await site.app.peopleAdmin.unlistedApps("ada")).toEqual([
      { client_id: "an-app", last_used_on, calls_30_days: 2 },
      { client_id: "another-app", last_used_on, calls_30_days: 1 },
    ]);
    const { body } = await send("/account", { cookie });
    expect(body.replace(/\s+/g, " ")).toContain(
      `Last used ${last_used_on}, calls in 30 days: 2. Not connected on this server: if it still calls, disconnect it at the external issuer.`,
    );
    expect(body).not.toContain("Apps that you allowed here cannot act");
    expect(body).not.toContain('/api/v1/sign-in/disconnect"');
  });

  it("cuts the scopes to the role, and asks for what is missing", async () => {
    await identified("vic", "viewer");
    const token = await issuer.token(claimsOf("vic", { scope: "read write trade:live" }));
    expect((await quotaOf(token)).scopes).toEqual(["read"]);
    await identified("wes");
    const save = await mcp(await issuer.token(claimsOf("wes")), "save_watchlist", {
      name: "a",
      symbols: ["AAPL"],
    });
    expect([save.status, save.headers["www-authenticate"]]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ]);
    expect(save.headers["www-authenticate"]).toContain('scope="read write"');
  });

  it("refuses every other token", async () => {
    await identified("ben");
    const now = Math.floor(Date.now() / 1_000);
    const wrong: Record<string, Promise<string> | string> = {
      "another audience": issuer.token(claimsOf("ben", { aud: `${PUBLIC_URL}/api` })),
      "the audience of an id token": issuer.token(claimsOf("ben", { aud: "market-signal" })),
      "no audience": issuer.token(claimsOf("ben", { aud: undefined })),
      "another issuer": issuer.token(claimsOf("ben", { iss: "https://other.example" })),
      expired: issuer.token(claimsOf("ben", { exp: now - 30 })),
      "no end": issuer.token(claimsOf("ben", { exp: undefined })),
      "not valid yet": issuer.token(claimsOf("ben", { nbf: now + 600 })),
      "no subject": issuer.token(claimsOf("ben", { sub: undefined })),
      "a list of subjects": issuer.token(claimsOf("ben", { sub: ["ben"] })),
      "no app": issuer.token(claimsOf("ben", { client_id: undefined })),
      "an app with spaces": issuer.token(claimsOf("ben", { client_id: "a b" })),
      "another kind": issuer.token(claimsOf("ben"), { typ: "logout+jwt" }),
      "bound to a key": issuer.token(claimsOf("ben", { cnf: { jkt: "x" } })),
      "a shared secret": issuer.token(claimsOf("ben"), { alg: "HS256" }),
      "no signature": `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${Buffer.from(JSON.stringify(claimsOf("ben", { iss: issuer.url, exp: now + 600 }))).toString("base64url")}.x`,
      "a token of this server": "ms_at_anything",
      "no token": "eyJhbGciOiJFUzI1NiJ9.e30.AAAA",
    };
    issuer.fault = { otherKey: true };
    wrong["another key"] = await issuer.token(claimsOf("ben"));
    const statuses: Record<string, number> = {};
    for (const [name, token] of Object.entries(wrong))
      statuses[name] = (await mcp(await token, "get_quota")).status;
    expect(statuses).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, 401])));
  });

  it("tells an unknown person what to do, and takes tokens at no other address", async () => {
    const unknown = await mcp(await issuer.token(claimsOf("nobody")), "get_quota");
    expect([unknown.status, unknown.body]).toEqual([
      401,
      expect.stringContaining("connect your identity at /account"),
    ]);
    await identified("cleo");
    const authorization = `Bearer ${await issuer.token(claimsOf("cleo"))}`;
    const rest = await send("/api/v1/quota", { authorization });
    expect([rest.status, rest.body]).toEqual([401, expect.stringContaining("at /api/mcp only")]);
  });

  it("ends what a person loses at once", async () => {
    const cookie = await identified("dan");
    const token = await issuer.token(claimsOf("dan"));
    const delegation = { account: "dan", key: "app:an-app", scopes: ["read"] as const };
    expect([await quotaOf(token), (await site.app.resolvePrincipal(delegation)).keyId]).toEqual([
      expect.objectContaining({ scopes: ["read"] }),
      "app:an-app",
    ]);
    const gone = await send("/api/v1/sign-in/disconnect-identity", { cookie, origin: PUBLIC_URL }, {});
    expect([gone.status, await quotaOf(token)]).toEqual([200, 401]);
    await expect(site.app.resolvePrincipal(delegation)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });

    await identified("eve");
    const other = await issuer.token(claimsOf("eve"));
    expect(await quotaOf(other)).toMatchObject({ scopes: ["read"] });
    await site.app.accounts.suspend("eve", "test");
    expect(await quotaOf(other)).toBe(403);
  });

  it("reads new keys no sooner than after half a minute", async () => {
    await identified("fay");
    expect(await quotaOf(await issuer.token(claimsOf("fay")))).toMatchObject({ scopes: ["read"] });
    const read = () => issuer.requests.filter((path) => path === "/keys").length;
    const before = read();
    await issuer.rotate();
    const renewed = await issuer.token(claimsOf("fay"));
    for (let i = 0; i < 5; i++) expect(await quotaOf(renewed)).toBe(401);
    expect(read()).toBe(before);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    expect(await quotaOf(renewed)).toMatchObject({ scopes: ["read"] });
    expect(read()).toBe(before + 1);
    vi.useRealTimers();
  });

  it("says that the issuer does not answer, and refuses no token for that", async () => {
    const down = await startIssuer();
    const { dir, remove } = suiteDir();
    const other = await install(dir, "sample", { PUBLIC_URL, OAUTH_ISSUER: down.url, ...down.settings });
    try {
      down.isDown = true;
      const headers = {
        host: "market.example",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${await down.token(claimsOf("ada"))}`,
      };
      const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
      const statuses = [];
      for (let i = 0; i < 20; i++) statuses.push((await sendTo(other.url, "/api/mcp", headers, body)).status);
      expect([new Set(statuses), down.requests.length]).toEqual([new Set([503]), REPLICAS]);
    } finally {
      await other.stop();
      down.close();
      remove();
    }
  });
});
