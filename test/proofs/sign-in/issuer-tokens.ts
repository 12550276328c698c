import { type Claims, startIssuer, type TestIssuer } from "../../support/issuer.ts";
import { ACCEPT } from "../proof-server.ts";
import { identityBrowser } from "./identity-browser.ts";
import {
  claimsOf,
  sharedSecretTokens,
  unknownKeyTokens,
  unsignedTokens,
  WRONG_AUDIENCES,
  WRONG_TIMES,
} from "./issuer-token-forgeries.ts";
import { exampleOf, type Group, refusedTool, refusedWith } from "./kinds.ts";
import { openSignInSite, type SignInSite, text } from "./site.ts";

/** Access tokens of an external issuer: for others, of others, forged, ended, elsewhere, and beyond their scopes. */
export async function issuerTokens(_: SignInSite, issuer: TestIssuer): Promise<Group> {
  const site = await openSignInSite({ ...issuer.settings, OAUTH_ISSUER: issuer.url });
  const { identified } = identityBrowser(site, issuer);
  const other = await startIssuer();
  const ada = await identified("ada");
  const viewer = await site.invited("vic", "viewer");
  const gone = [
    await identified("disconnected"),
    await identified("reset"),
    await identified("suspended"),
    await identified("deleted"),
  ] as const;
  await site.post("/api/v1/sign-in/disconnect-identity", gone[0].cookie, {});
  await site.people.resetSignIn(gone[1].account, "proof");
  await site.app.accounts.suspend(gone[2].account, "proof");
  await site.app.accounts.delete(gone[3].account, "proof");
  const token = (claims: Claims = {}, header = {}) => issuer.token(claimsOf(ada.subject, claims), header);
  const refused = async (made: string | Promise<string>) =>
    refusedWith(await site.mcp(await made), [401, 403]);
  const pick = <T>(all: readonly T[], n: number): T => all[n % all.length]!;

  const good = await token();
  const [header, claims, signature] = good.split(".") as [string, string, string];
  const { payload: more } = { payload: claimsOf(ada.subject, { scope: "read write admin trade:live" }) };
  const raised = Buffer.from(JSON.stringify({ ...more, iss: issuer.url, exp: 4e9 })).toString("base64url");
  const unsigned = unsignedTokens(issuer);
  const shared = sharedSecretTokens(issuer);
  const unknown = await unknownKeyTokens(issuer, other);
  const right = claimsOf(ada.subject);
  const hello = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const bearer = { authorization: `Bearer ${good}` };
  const elsewhere = [
    () => site.send("/api/v1/quota", bearer),
    () => site.send("/api/v1/watchlists/mine", bearer, { symbols: ["AAPL"] }),
    () => site.send("/api/a2a", bearer, hello),
    () => site.send("/api/v1/a2a/route", bearer, hello),
    () => site.send("/api/a2a/rest/tasks", bearer),
    () => site.send("/api/mcp/sse", { ...bearer, ...ACCEPT }),
    () => site.send("/api/mcp/sse/messages", { ...bearer, ...ACCEPT }, hello),
    () => site.send(`/api/v1/quotes/stream?symbols=AAPL&stream_token=${good}`),
    () => site.send(`/api/mcp?access_token=${good}`, ACCEPT, hello),
    () => site.send("/api/mcp", { ...ACCEPT, authorization: `Basic ${good}` }, hello),
    () => site.send("/api/mcp", { ...ACCEPT, "x-api-key": good }, hello),
    () => site.send("/api/mcp", { ...ACCEPT, cookie: `market_signal_session=${good}` }, hello),
    () => site.send("/api/v1/quota", { cookie: `market_signal_session=${good}` }),
    () => site.post("/api/v1/sign-in/recovery-codes", "", {}, bearer),
  ];
  const beyond = site.app.registry.tools.filter(({ effect }) => effect !== "read");
  const scopes: readonly Claims[] = [
    {},
    { scope: undefined, scp: ["read"] },
    { scope: "read WRITE Admin" },
    { scope: "read,write,admin" },
    { scope: "read", scp: ["read", "write", "admin", "trade:live"] },
    { scope: "read", roles: ["owner"], role: "owner", permissions: ["admin"], account: "owner" },
  ];
  const viewerToken = await identityOf(viewer.cookie);
  async function identityOf(cookie: string): Promise<string> {
    const subject = "vic at the issuer";
    await identityBrowser(site, issuer).connect(subject, cookie);
    return issuer.token(claimsOf(subject, { scope: "read write trade:paper trade:live admin" }));
  }

  return {
    name: "tokens of an issuer",
    kinds: [
      {
        name: "for another audience",
        attempts: 150,
        attempt: (n) => refused(token(pick(WRONG_AUDIENCES, n)())),
      },
      {
        name: "of another issuer",
        attempts: 100,
        attempt(n) {
          const iss = pick(
            [other.url, `${issuer.url}/`, issuer.url.toUpperCase(), "", undefined, [issuer.url], null, "*"],
            n,
          );
          return refused(n % 3 === 0 ? other.token(claimsOf(ada.subject)) : token({ iss }));
        },
      },
      { name: "unsigned", attempts: 120, attempt: (n) => refused(pick(unsigned, n)(right)) },
      {
        name: "signed with the public key as a secret",
        attempts: 126,
        attempt: (n) => refused(pick(shared, n)(right)),
      },
      { name: "of an unknown key", attempts: 110, attempt: (n) => refused(pick(unknown, n)(right)) },
      {
        name: "expired, not yet valid or without an end",
        attempts: 100,
        attempt: (n) => refused(token(pick(WRONG_TIMES, n)())),
      },
      {
        name: "damaged or changed",
        attempts: 120,
        attempt: (n) =>
          refused(
            pick(
              [
                `${header}.${raised}.${signature}`,
                `${header}.${claims}.`,
                `${header}.${claims}`,
                `${header}.${claims}.${signature.slice(0, -4)}`,
                `${header}.${claims}.${signature}A`,
                `${header}.${claims}.${signature}.${signature}`,
                `${header}..${signature}`,
                `.${claims}.${signature}`,
                `${good},${good}`,
                `ms_at_${good}`,
                `eyJ${text()}.${text()}.${text()}`,
                `ms_at_${text()}`,
              ],
              n,
            ),
          ),
      },
      {
        name: "of an unknown subject or app",
        attempts: 110,
        attempt: (n) =>
          refused(
            token(
              pick<Claims>(
                [
                  { sub: `nobody ${text()}` },
                  { sub: ada.account },
                  { sub: "owner" },
                  { sub: `${ada.subject} ` },
                  { sub: ada.subject.toUpperCase() },
                  { sub: [ada.subject] },
                  { sub: undefined, email: `${ada.account}@market-signal.invalid` },
                  { sub: "" },
                  { client_id: undefined },
                  { client_id: "a b" },
                  { client_id: "" },
                  { client_id: "x".repeat(201) },
                ],
                n,
              ),
            ),
          ),
      },
      {
        name: "of another kind, or bound to a key",
        attempts: 100,
        attempt: (n) =>
          refused(
            n % 2 === 0
              ? token({}, { typ: pick(["logout+jwt", "dpop+jwt", "id+jwt", "secevent+jwt", "none"], n >> 1) })
              : token({ cnf: pick<unknown>([{ jkt: text() }, { "x5t#S256": text() }, {}, null], n >> 1) }),
          ),
      },
      {
        name: "of a person who is disconnected, reset, suspended or deleted",
        attempts: 100,
        attempt: (n) => refused(issuer.token(claimsOf(pick(gone, n).subject))),
      },
      {
        name: "elsewhere than at MCP",
        attempts: 140,
        attempt: async (n) => refusedWith(await pick(elsewhere, n)(), [400, 401, 403, 404]),
      },
      {
        name: "without the scope",
        attempts: 300,
        async attempt(n) {
          const tool = pick(beyond, n);
          return refusedTool(await site.mcp(await token(pick(scopes, n)), tool.name, exampleOf(tool)));
        },
      },
      {
        name: "with scopes that the role of the person lacks",
        attempts: 200,
        async attempt(n) {
          const tool = pick(beyond, n);
          return refusedTool(await site.mcp(viewerToken, tool.name, exampleOf(tool)));
        },
      },
      {
        name: "at the endpoints of this server, which issues none",
        attempts: 60,
        async attempt(n) {
          const client = { client_id: "an-app", token: good };
          const asked = [
            () => site.authorize("an-app", ada.cookie),
            () => site.register(),
            () => site.refreshed("an-app", good),
            () => site.redeem("an-app", text()),
            () => site.form("/auth/oauth2/revoke", client),
            () => site.send("/.well-known/oauth-authorization-server"),
          ];
          return refusedWith(await pick(asked, n)(), [404]);
        },
      },
    ],
    async control() {
      for (const made of [good, await token({}, { typ: "at+jwt" })]) {
        const { status, body } = await site.mcp(made, "get_quota");
        if (status !== 200 || !body.includes("read")) return `a token is answered with ${status}: ${body}`;
      }
      const saved = await site.mcp(await token({ scope: "read write" }), "save_watchlist", {
        name: "mine",
        symbols: ["AAPL"],
      });
      return saved.status === 200 && !saved.body.includes("SCOPE_REQUIRED")
        ? null
        : `a token with write is answered with ${saved.status}: ${saved.body}`;
    },
    async close() {
      other.close();
      await site.stop();
      return site.errors;
    },
  };
}
