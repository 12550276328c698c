import { describe, expect, it } from "vitest";
import { ISSUER_ENDPOINTS } from "../../../src/access/sign-in/identities.ts";
import { ACCESS_TOKEN_PREFIX } from "../../../src/access/sign-in/paths.ts";
import { OAUTH_ENDPOINTS, SERVED_ENDPOINTS } from "../../../src/access/sign-in/sign-in.ts";
import { useInstallation } from "../../support/installation.ts";
import { libraryEndpoints } from "../../support/library-endpoints.ts";
import { sendTo } from "../../support/oauth-app.ts";

const ISSUER = { OIDC_ISSUER: "http://127.0.0.1:1", OIDC_CLIENT_ID: "market-signal" };
const sites = {
  on: useInstallation("sample", { OAUTH: "on" }),
  off: useInstallation("sample", { OAUTH: "off" }),
  "on, with an issuer of identities": useInstallation("sample", { OAUTH: "on", ...ISSUER }),
  "on, with an issuer of tokens": useInstallation("sample", {
    OAUTH: "on",
    ...ISSUER,
    OAUTH_ISSUER: ISSUER.OIDC_ISSUER,
  }),
};
type Site = keyof typeof sites;
const hasOAuth = (oauth: Site) => oauth === "on" || oauth === "on, with an issuer of identities";
const hasIssuer = (oauth: Site) => oauth !== "on" && oauth !== "off";

/** Sends a request to an endpoint of the library with a session of the owner, and returns the status. */
async function statusOf(oauth: Site, endpoint: string): Promise<number> {
  const { app, url } = sites[oauth];
  const { token } = await app.browserSessions.issueLink();
  const { cookies } = await sendTo(url, `/open/${token}`);
  const [method, path] = endpoint.split(" ") as [string, string];
  const headers = { cookie: cookies[0]!.split(";")[0]!, origin: url };
  const body = method === "GET" ? undefined : {};
  return (await sendTo(url, `/auth${path.replaceAll(/:\w+/g, "x")}`, headers, body, method)).status;
}

describe.each(Object.keys(sites) as Site[])("the library of sign-in with OAUTH=%s", (oauth) => {
  const served = new Set([
    ...SERVED_ENDPOINTS,
    ...(hasOAuth(oauth) ? OAUTH_ENDPOINTS : []),
    ...(hasIssuer(oauth) ? ISSUER_ENDPOINTS : []),
  ]);

  it("answers at the endpoints of the list, and is not found at its others", async () => {
    const known = await libraryEndpoints(sites.on.app.store, hasOAuth(oauth));
    const statuses: Record<string, number> = {};
    for (const endpoint of known)
      if (!served.has(endpoint)) statuses[endpoint] = await statusOf(oauth, endpoint);
    expect(Object.entries(statuses).filter(([, status]) => status !== 404)).toEqual([]);
    expect([...served].filter((endpoint) => !known.includes(endpoint))).toEqual([]);
    expect(Object.keys(statuses).length).toBe(known.length - served.size);
  });

  it("serves OAuth only while it is on", async () => {
    const statuses = await Promise.all([...OAUTH_ENDPOINTS].map((endpoint) => statusOf(oauth, endpoint)));
    expect(statuses.every((status) => (status === 404) === !hasOAuth(oauth))).toBe(true);
  });

  it("answers HEAD of its documents like GET, without a body", async () => {
    const path = "/.well-known/oauth-authorization-server/auth";
    const [head, get] = [
      await sendTo(sites[oauth].url, path, {}, undefined, "HEAD"),
      await sendTo(sites[oauth].url, path),
    ];
    expect([head.status, head.body]).toEqual([hasOAuth(oauth) ? 200 : 404, ""]);
    expect(get.status).toBe(head.status);
  });

  it("serves sign-in by an issuer only while one is set", async () => {
    const { url } = sites[oauth];
    const begin = (await sendTo(url, "/sign-in/issuer", { origin: url }, {})).status;
    const { status } = await sendTo(sites[oauth].url, "/auth/callback/oidc?state=x&code=y");
    expect([begin, status]).toEqual(hasIssuer(oauth) ? [503, 302] : [404, 404]);
    expect((await sendTo(sites[oauth].url, "/auth/callback/google?state=x&code=y")).status).toBe(404);
    const own = await sendTo(sites[oauth].url, "/api/v1/sign-in/connect-identity", {}, {});
    expect(own.status).toBe(hasIssuer(oauth) ? 403 : 404);
  });
});

it.each([
  ["off", "Apps cannot sign in to this server"],
  ["on", "The access token is unknown, has expired or was revoked"],
] as const)("the token of an app is refused with OAUTH=%s: %s", async (oauth, detail) => {
  const headers = { authorization: `Bearer ${ACCESS_TOKEN_PREFIX}${"a".repeat(43)}` };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const answer = await sendTo(sites[oauth].url, "/api/mcp", headers, body);
  expect([answer.status, JSON.parse(answer.body).detail]).toEqual([401, detail]);
});

describe("an app that looks for sign-in", () => {
  const OFF =
    "Sign-in of apps is off on this server. The owner turns it on: run `npx market-signal config set OAUTH on`, then restart the server.";
  const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const fieldsOf = (body: string): unknown => {
    const { status, detail, hint } = JSON.parse(body);
    return [status, detail, hint];
  };

  it.each([
    ["POST", "/register"],
    ["POST", "/auth/oauth2/register"],
    ["POST", "/auth/oauth2/token"],
    ["GET", "/auth/oauth2/authorize"],
    ["GET", "/.well-known/oauth-protected-resource"],
    ["GET", "/.well-known/oauth-protected-resource/api/mcp"],
    ["GET", "/.well-known/oauth-authorization-server"],
    ["GET", "/.well-known/oauth-authorization-server/api/mcp"],
    ["GET", "/.well-known/openid-configuration"],
  ])("is told how it is turned on while it is off: %s %s", async (method, path) => {
    const { body } = await sendTo(sites.off.url, path, {}, method === "POST" ? {} : undefined);
    expect(fieldsOf(body)).toEqual([404, expect.any(String), OFF]);
  });

  it("gets other addresses that do not exist without that hint", async () => {
    for (const { url } of Object.values(sites))
      expect((await sendTo(url, "/auth/list-sessions")).body).toContain("Sign in at /sign-in.");
    expect((await sendTo(sites.on.url, "/register", {}, {})).body).toContain("/openapi.json lists every");
  });

  it("is refused at the address of MCP with both ways to get access", async () => {
    const key = "Send a key as `Authorization: Bearer <key>`.";
    const command = "On the server: `market-signal keys create`.";
    const off = await sendTo(sites.off.url, "/api/mcp", {}, call);
    expect(fieldsOf(off.body)).toEqual([401, "MCP needs an API key", `${key} ${OFF} ${command}`]);
    for (const site of ["on", "on, with an issuer of tokens"] as const) {
      const { url } = sites[site];
      const { body } = await sendTo(url, "/api/mcp", {}, call);
      expect(fieldsOf(body)).toEqual([
        401,
        "MCP needs sign-in or an API key",
        `${key} An app needs no key: it signs in at ${url}/api/mcp. ${command}`,
      ]);
    }
  });
});
