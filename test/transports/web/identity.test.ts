import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { install, REPLICAS, useInstallation } from "../../support/installation.ts";
import { startIssuer } from "../../support/issuer.ts";
import { needsPerson, oauthApp, sendTo } from "../../support/oauth-app.ts";
import { suiteDir } from "../../support/temp-dir.ts";

const issuer = await startIssuer();
afterAll(() => issuer.close());
const site = useInstallation("sample", { OAUTH: "on", TRUST_PROXY: "1", ...issuer.settings });
let addresses = 0;
/** Headers of a request from a network of its own, because attempts are limited by network. */
const elsewhere = () => ({ "x-forwarded-for": `10.0.0.${++addresses}` });
beforeEach(() => {
  Object.assign(issuer, { fault: {}, isDown: false });
});
const send = (path: string, headers: Record<string, string> = {}, body?: object | string) =>
  sendTo(site.url, path, headers, body);
const pairOf = (cookie: string) => cookie.split(";")[0]!;

/** Invites a person, opens the link and returns the cookie of the session. */
async function invited(account: string): Promise<string> {
  const { token } = await site.app.peopleAdmin.invite({ account, role: "member" }, "test");
  return pairOf((await send(`/open/${token}`, { origin: site.url }, "")).cookies[0]!);
}
/** Begins at a path, goes to the issuer as `subject` and returns the answer to the address that it sends back to. */
async function throughIssuer(path: string, subject: string, cookie = "", body: object = {}) {
  const begun = await send(path, { ...elsewhere(), origin: site.url, ...(cookie && { cookie }) }, body);
  expect(begun.status, begun.body).toBe(200);
  issuer.subject = subject;
  const back = new URL(await issuer.answer(JSON.parse(begun.body).url));
  const cookies = [cookie, ...begun.cookies.map(pairOf)].filter((pair) => pair !== "").join("; ");
  const again = () =>
    send(`${back.pathname}${back.search}`, {
      cookie: cookies,
      "sec-fetch-mode": "navigate",
      accept: "text/html",
    });
  return { begun: JSON.parse(begun.body).url as string, again, answer: await again() };
}
const connect = (subject: string, cookie: string) =>
  throughIssuer("/api/v1/sign-in/connect-identity", subject, cookie);
const signIn = (subject: string, body: object = {}) => throughIssuer("/sign-in/issuer", subject, "", body);
const disconnect = (cookie: string) =>
  send("/api/v1/sign-in/disconnect-identity", { cookie, origin: site.url }, {});
const accountOf = async (cookie: string) =>
  (await send("/account", { cookie })).body.match(/of the account <code>(.*?)<\/code>/)?.[1] ?? null;

describe("an identity of the external issuer", () => {
  it("signs in the person who connected it, until it is disconnected", async () => {
    const cookie = await invited("ada");
    const { answer, begun } = await connect("ada at acme", cookie);
    expect([answer.status, answer.headers.location]).toEqual([302, "/account?connected"]);
    const query = Object.fromEntries(new URL(begun).searchParams);
    expect(query).toMatchObject({
      client_id: "market-signal",
      scope: "openid",
      code_challenge_method: "S256",
      redirect_uri: `${site.url}/auth/callback/oidc`,
    });
    expect(query.nonce).toMatch(/^[\w-]{32}$/);

    const signedIn = (await signIn("ada at acme")).answer;
    expect([signedIn.status, signedIn.headers.location]).toEqual([302, "/"]);
    const session = signedIn.cookies.find((text) => text.startsWith("market_signal_session="))!;
    expect(await accountOf(pairOf(session))).toBe("ada");

    expect((await disconnect(cookie)).status).toBe(200);
    expect((await signIn("ada at acme")).answer.headers.location).toBe(
      "/sign-in/issuer?error=signup_disabled",
    );
    expect((await disconnect(cookie)).status).toBe(404);
    const entries = await site.app.auditRepository.entries(0, 100);
    const changes = entries.filter(({ account, event }) => account === "ada" && event === "sign_in_changed");
    expect(changes.map(({ about }) => JSON.parse(about))).toEqual([
      { by: "ada", change: "identity_connected" },
      { by: "ada", change: "identity_disconnected" },
    ]);
  });

  it("replaces the session of a browser that signs in again", async () => {
    const cookie = await invited("zoe");
    await connect("zoe at acme", cookie);
    const { answer } = await throughIssuer("/sign-in/issuer", "zoe at acme", cookie);
    const session = answer.cookies.find((text) => text.startsWith("market_signal_session="))!;
    expect(await Promise.all([cookie, pairOf(session)].map(accountOf))).toEqual([null, "zoe"]);
  });

  it("is stored without the tokens of the issuer, by issuer and subject", async () => {
    await connect("ben at acme", await invited("ben"));
    const rows = await site.app.store.db
      .selectFrom("auth_credentials")
      .select(["accountId", "idToken", "accessToken", "refreshToken"])
      .where("accountId", "=", `${issuer.url} ben at acme`)
      .execute();
    expect(rows).toEqual([
      { accountId: `${issuer.url} ben at acme`, idToken: null, accessToken: null, refreshToken: null },
    ]);
  });

  it("signs nobody up, and is matched by no e-mail address", async () => {
    await invited("cleo");
    issuer.fault = { claims: { email: "cleo@market-signal.invalid" } };
    const { answer } = await signIn("cleo at acme");
    expect([answer.status, answer.headers.location, answer.cookies.join()]).toEqual([
      302,
      "/sign-in/issuer?error=signup_disabled",
      expect.not.stringContaining("market_signal_session="),
    ]);
    const page = await send(answer.headers.location!);
    expect([page.status, page.body]).toEqual([
      200,
      expect.stringContaining("No person of this server is connected"),
    ]);
  });

  it("belongs to one person, who has one", async () => {
    const cookie = await invited("dan");
    await connect("dan at acme", cookie);
    const second = await send("/api/v1/sign-in/connect-identity", { cookie, origin: site.url }, {});
    expect([second.status, JSON.parse(second.body).code]).toEqual([409, "CONFLICT"]);
    const other = await connect("dan at acme", await invited("eve"));
    expect(other.answer.headers.location).toContain(
      "/sign-in/issuer?error=account_already_linked_to_different_user",
    );
  });

  it("is gone after a reset of the sign-in, and is not connected after it", async () => {
    const cookie = await invited("fay");
    await connect("fay at acme", cookie);
    await site.app.peopleAdmin.resetSignIn("fay", "test");
    expect((await signIn("fay at acme")).answer.headers.location).toBe(
      "/sign-in/issuer?error=signup_disabled",
    );

    const late = await invited("gus");
    const begun = await send("/api/v1/sign-in/connect-identity", { cookie: late, origin: site.url }, {});
    issuer.subject = "gus at acme";
    const back = new URL(await issuer.answer(JSON.parse(begun.body).url));
    await site.app.peopleAdmin.resetSignIn("gus", "test");
    const cookies = [late, ...begun.cookies.map(pairOf)].join("; ");
    const answer = await send(`${back.pathname}${back.search}`, { cookie: cookies });
    expect(answer.headers.location).toContain("/sign-in/issuer?error=session_ended");
    expect((await signIn("gus at acme")).answer.headers.location).toBe(
      "/sign-in/issuer?error=signup_disabled",
    );
  });

  it("continues with what an app asked for", async () => {
    await connect("hal at acme", await invited("hal"));
    const app = oauthApp(site.url, "An app");
    expect(needsPerson(await app.connect().catch((error: unknown) => error))).toBe(true);
    const { pathname, search } = app.opened[0]!;
    const page = new URL((await send(`${pathname}${search}`)).headers.location!, site.url);
    expect(page.pathname).toBe("/sign-in");
    const { answer } = await signIn("hal at acme", { oauth_query: page.search.slice(1) });
    expect(new URL(answer.headers.location!, site.url).pathname).toBe("/consent");
  });

  it("is asked for by pages of this server alone, and connected in a recent session", async () => {
    const cookie = await invited("ivy");
    for (const path of ["/api/v1/sign-in/connect-identity", "/sign-in/issuer"]) {
      expect((await send(path, { cookie }, {})).status).toBe(403);
      expect((await send(path, { cookie, origin: "https://other.example" }, {})).status).toBe(403);
    }
    await site.app.store.db
      .updateTable("auth_sessions")
      .set({ createdAt: new Date(Date.now() - 2 * 3_600_000).toISOString() })
      .execute();
    const old = await send("/api/v1/sign-in/connect-identity", { cookie, origin: site.url }, {});
    expect([old.status, old.body]).toEqual([403, expect.stringContaining("more than an hour ago")]);
  });

  it("leads to a page of this server alone, and takes nothing else from the page", async () => {
    const cookie = await invited("jo");
    await connect("jo at acme", cookie);
    for (const [next, page] of [
      ["/account", "/account"],
      ["https://evil.example/", "/"],
      ["//evil.example", "/"],
      ["/open/x", "/"],
    ])
      expect((await signIn("jo at acme", { next })).answer.headers.location, next).toBe(page);
    for (const body of [
      { callbackURL: "/" },
      { next: 1 },
      { oauth_query: ["x"] },
      { idToken: { token: "x" } },
    ]) {
      const refused = await send("/sign-in/issuer", { ...elsewhere(), origin: site.url }, body);
      expect([refused.status, JSON.parse(refused.body).code]).toEqual([400, "INVALID_INPUT"]);
    }
    const forged = { oauth_query: "client_id=x&sig=y" };
    expect((await send("/sign-in/issuer", { ...elsewhere(), origin: site.url }, forged)).status).toBe(400);
  });

  it("is offered on the pages of sign-in", async () => {
    const cookie = await invited("lee");
    const page = async (path: string) => (await send(path, { cookie })).body;
    expect(await page("/sign-in")).toContain('data-go="/sign-in/issuer" data-asks="true">Sign in with Acme<');
    expect(await page("/account")).toContain('data-go="/api/v1/sign-in/connect-identity">Connect Acme<');
    await connect("lee at acme", cookie);
    expect(await page("/account")).toContain("Your identity at Acme is connected");
    // a person who can sign in by it needs no password
    expect(await page("/account")).not.toContain("Set a password or a passkey now");
  });
});

describe("an answer of the external issuer", () => {
  const failed = async () => {
    const { answer } = await signIn("kim at acme");
    return answer.cookies.some((text) => text.startsWith("market_signal_session=")) || answer.status !== 302
      ? `signed in: ${answer.status} ${answer.body}`
      : answer.headers.location;
  };
  const now = Math.floor(Date.now() / 1_000);

  it("is refused unless its token is right", async () => {
    await connect("kim at acme", await invited("kim"));
    const faults: Record<string, (typeof issuer)["fault"]> = {
      "another key": { otherKey: true },
      "another issuer": { claims: { iss: "https://other.example" } },
      "another audience": { claims: { aud: "another-client" } },
      "several audiences": { claims: { aud: ["market-signal", "another-client"] } },
      "another party": { claims: { aud: ["market-signal", "another-client"], azp: "another-client" } },
      "another nonce": { claims: { nonce: "n".repeat(32) } },
      "no nonce": { claims: { nonce: undefined } },
      expired: { claims: { exp: now - 60 } },
      "no end": { claims: { exp: undefined } },
      "no subject": { claims: { sub: undefined } },
      "an empty subject": { claims: { sub: "" } },
      "a list of subjects": { claims: { sub: ["kim at acme"] } },
    };
    const outcomes: Record<string, unknown> = {};
    for (const [name, fault] of Object.entries(faults)) {
      issuer.fault = fault;
      outcomes[name] = await failed();
    }
    const refused = "/sign-in/issuer?error=unable_to_get_user_info";
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, refused])));
  });

  it("is refused unless it names the issuer, state and code that belong to it", async () => {
    const faults: Record<string, Record<string, string | undefined>> = {
      issuer_mismatch: { iss: "https://other.example" },
      issuer_missing: { iss: undefined },
      state_mismatch: { state: "x".repeat(32) },
      state_not_found: { state: undefined },
      invalid_code: { code: "another code" },
      access_denied: { code: undefined, error: "access_denied" },
    };
    for (const [error, sentBack] of Object.entries(faults)) {
      issuer.fault = { sentBack };
      expect(await failed(), error).toBe(`/sign-in/issuer?error=${error}`);
    }
    issuer.fault = { sentBack: { iss: "" } };
    expect(await failed()).toBe("/sign-in/issuer?error=issuer_mismatch");
  });

  it("is accepted once, in the browser that began", async () => {
    const { again, answer } = await signIn("kim at acme");
    expect(answer.headers.location).toBe("/");
    expect((await again()).headers.location).toBe("/sign-in/issuer?error=state_mismatch");
    const begun = await send("/sign-in/issuer", { ...elsewhere(), origin: site.url }, {});
    const back = new URL(await issuer.answer(JSON.parse(begun.body).url));
    const other = await send(`${back.pathname}${back.search}`);
    expect(other.headers.location).toBe("/sign-in/issuer?error=state_mismatch");
  });
});

it("says that the issuer does not answer, and asks it again later", async () => {
  const down = await startIssuer();
  let now = Date.now();
  const { dir, remove } = suiteDir();
  const other = await install(dir, "sample", down.settings, { clock: { now: () => new Date(now) } });
  const begin = async () => (await sendTo(other.url, "/sign-in/issuer", { origin: other.url }, {})).status;
  try {
    down.isDown = true;
    expect([await begin(), await begin(), down.requests.length]).toEqual([503, 503, REPLICAS]);
    down.isDown = false;
    now += 11_000;
    down.fault = { metadata: { issuer: "https://other.example" } };
    expect(await begin()).toBe(503);
    now += 11_000;
    down.fault = {};
    expect(await begin()).toBe(200);
  } finally {
    await other.stop();
    down.close();
    remove();
  }
});
