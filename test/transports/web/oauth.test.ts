import { describe, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";
import { needsPerson, type OAuthApp, oauthApp, sendTo } from "../../support/oauth-app.ts";

const site = useInstallation("sample", { OAUTH: "on" });
const send = (...rest: Parameters<typeof sendTo> extends [string, ...infer R] ? R : never) =>
  sendTo(site.url, ...rest);

/** Opens a new link of the owner and returns the cookie. */
async function signedIn(): Promise<string> {
  const { token } = await site.app.browserSessions.issueLink();
  const { cookies } = await send(`/open/${token}`);
  return cookies[0]!.split(";")[0]!;
}

/** Answers what an app asks for, as the browser of its person. Returns the address that it is sent back to. */
async function answer(app: OAuthApp, cookie: string, accept = true): Promise<string> {
  const { pathname, search } = app.opened.at(-1)!;
  const asked = await send(`${pathname}${search}`, { cookie });
  const page = new URL(asked.headers.location!, site.url);
  expect([asked.status, page.pathname]).toEqual([302, "/consent"]);
  const body = { accept, oauth_query: page.search.slice(1) };
  const sent = await send("/auth/oauth2/consent", { cookie, origin: site.url }, body);
  expect(sent.status, sent.body).toBe(200);
  return JSON.parse(sent.body).url;
}

/** Connects an app that its person allows to read. */
async function connected(
  name: string,
  mode?: Parameters<typeof oauthApp>[2],
): Promise<{ readonly app: OAuthApp; readonly cookie: string }> {
  const app = oauthApp(site.url, name, mode);
  const refusal = await app.connect().catch((error: unknown) => error);
  expect(needsPerson(refusal), String(refusal)).toBe(true);
  const cookie = await signedIn();
  await app.finish(await answer(app, cookie));
  return { app, cookie };
}

const callRest = (token: string) => send("/api/v1/quota", { authorization: `Bearer ${token}` });
/** Lists the tools with the token of an app, and returns the status. */
const mcpStatus = async (token: string): Promise<number> => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const headers = { accept: "application/json, text/event-stream", authorization: `Bearer ${token}` };
  return (await send("/api/mcp", headers, call)).status;
};

describe("an app without a key", () => {
  it("connects with the official client after its person allowed it to read", async () => {
    const { app } = await connected("First app");
    const { tools } = await app.client.listTools();
    expect(tools.map(({ name }) => name)).toContain("get_signal");
    const { structuredContent } = await app.client.callTool({ name: "get_quota", arguments: {} });
    expect(structuredContent).toMatchObject({ plan: "enterprise", scopes: ["read"] });
    expect(app.opened[0]!.searchParams.get("scope")).toBe("read offline_access");
  });

  it.each(["legacy", "auto"] as const)("is connected after six requests: revision %s", async (mode) => {
    const { app } = await connected(`Quick app, ${mode}`, mode);
    // then a session of an older revision begins
    const session = mode === "legacy" ? ["POST /api/mcp", "GET /api/mcp"] : [];
    expect(app.requests).toEqual([
      "POST /api/mcp",
      "GET /.well-known/oauth-protected-resource/api/mcp",
      "GET /.well-known/oauth-authorization-server/auth",
      "POST /auth/oauth2/register",
      "POST /auth/oauth2/token",
      "POST /api/mcp",
      ...session,
    ]);
  });

  it("asks its person again when a call needs more, and no sooner", async () => {
    const { app, cookie } = await connected("Second app");
    const save = { name: "save_watchlist", arguments: { name: "mine", symbols: ["AAPL"] } };
    const refusal = await app.client.callTool(save).catch((error: unknown) => error);
    expect([needsPerson(refusal), app.opened.length], String(refusal)).toEqual([true, 2]);
    expect(app.opened[1]!.searchParams.get("scope")!.split(" ").sort()).toEqual([
      "offline_access",
      "read",
      "write",
    ]);
    await app.finish(await answer(app, cookie));
    expect((await app.client.callTool(save)).isError).toBeFalsy();
  });

  it("has a token for MCP only, which ends when its person disconnects it", async () => {
    const { app, cookie } = await connected("Third app");
    const { access_token: token, refresh_token: refresh } = app.tokens();
    expect([await mcpStatus(token), (await callRest(token)).status]).toEqual([200, 401]);
    const client_id = ((await app.provider.clientInformation()) as { client_id: string }).client_id;
    const ended = await send("/api/v1/sign-in/disconnect", { cookie, origin: site.url }, { client_id });
    expect(ended.status, ended.body).toBe(200);
    expect(await mcpStatus(token)).toBe(401);
    const again = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh!, client_id });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await send("/auth/oauth2/token", form, again.toString())).status).toBe(400);
  });

  it("stays connected when its person signs out, and gets new tokens, also twice for one refresh", async () => {
    const { app, cookie } = await connected("Fourth app");
    const { access_token: token, refresh_token: refresh } = app.tokens();
    const client_id = ((await app.provider.clientInformation()) as { client_id: string }).client_id;
    await sendTo(site.url, "/sign-out", { cookie, origin: site.url, "sec-fetch-site": "same-origin" }, "");
    expect(await mcpStatus(token)).toBe(200);
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh!, client_id });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const answers = [
      await send("/auth/oauth2/token", form, body.toString()),
      await send("/auth/oauth2/token", form, body.toString()),
    ];
    expect(
      answers.map(({ status }) => status),
      answers[0]!.body,
    ).toEqual([200, 200]);
    expect(await mcpStatus(JSON.parse(answers[0]!.body).access_token)).toBe(200);
  });

  it("is not offered an answer when its request is too old", async () => {
    const app = oauthApp(site.url);
    await app.connect().catch(() => {});
    const cookie = await signedIn();
    const { pathname, search } = app.opened.at(-1)!;
    const page = new URL((await send(`${pathname}${search}`, { cookie })).headers.location!, site.url);
    const offers = async () => {
      const { body } = await send(`${page.pathname}${page.search}`, { cookie });
      return [body.includes('id="allow"'), body.includes("The request of the app is too old")];
    };
    expect(await offers()).toEqual([true, false]);
    page.searchParams.set("exp", String(Math.floor(Date.now() / 1_000) - 1));
    expect(await offers()).toEqual([false, true]);
  });

  it("gets nothing if its person refuses", async () => {
    const app = oauthApp(site.url);
    await app.connect().catch(() => {});
    const address = new URL(await answer(app, await signedIn(), false));
    expect([address.searchParams.get("error"), address.searchParams.get("code")]).toEqual([
      "access_denied",
      null,
    ]);
  });
});

describe("people", () => {
  const invite = async (account: string, role: "member" | "viewer") =>
    (await site.app.peopleAdmin.invite({ account, role }, "test")).token;
  /** Opens a link as the button of its page does, and returns the cookie. */
  const opened = async (link: string) => {
    const { status, cookies } = await send(`/open/${link}`, { origin: site.url }, "");
    expect(status).toBe(303);
    return cookies[0]!.split(";")[0]!;
  };
  const scopesOf = async (cookie: string) =>
    JSON.parse((await send("/api/v1/quota", { cookie })).body).scopes;

  it("are invited by a page whose button works once, and read and write as their account", async () => {
    const link = await invite("ada", "member");
    const page = await send(`/invited/${link}`);
    expect([page.status, page.body.includes(`action="/open/${link}"`)]).toEqual([200, true]);
    const cookie = await opened(link);
    expect(await scopesOf(cookie)).toEqual(["read", "write"]);
    expect((await send(`/open/${link}`, { origin: site.url }, "")).status).toBe(401);
    expect((await send("/api/v1/installation/keys", { cookie })).status).toBe(403);
  });

  it("only read as viewers, and cannot allow an app more", async () => {
    const cookie = await opened(await invite("bob", "viewer"));
    expect(await scopesOf(cookie)).toEqual(["read"]);
    const own = { cookie, origin: site.url };
    expect((await send("/api/v1/watchlists/mine", own, { symbols: ["AAPL"] })).status).toBe(403);
    const app = oauthApp(site.url, "App of a viewer");
    await app.connect().catch(() => {});
    await app.finish(await answer(app, cookie));
    const save = { name: "save_watchlist", arguments: { name: "mine", symbols: ["AAPL"] } };
    expect((await app.client.callTool(save)).isError).toBe(true);
    expect(app.opened).toHaveLength(1);
  });

  it("have the role of their newest link", async () => {
    const cookie = await opened(await invite("eve", "member"));
    const older = await invite("eve", "member");
    await opened(await invite("eve", "viewer"));
    expect(await scopesOf(cookie)).toEqual(["read"]);
    expect((await send(`/open/${older}`, { origin: site.url }, "")).status).toBe(401);
  });

  it("lose their sessions, links and apps when their sign-in is reset or their account suspended", async () => {
    const cookie = await opened(await invite("dan", "member"));
    const unused = await invite("dan", "member");
    const link = (await site.app.peopleAdmin.resetSignIn("dan", "test")).token;
    expect((await send("/api/v1/quota", { cookie })).status).toBe(401);
    expect((await send(`/open/${unused}`, { origin: site.url }, "")).status).toBe(401);
    const next = await opened(link);
    await site.app.accounts.suspend("dan", "test");
    expect((await send("/api/v1/quota", { cookie: next })).status).toBe(401);
    expect((await send("/account", { cookie: next })).headers.location).toContain("/sign-in");
  });

  it("are refused after ten wrong passwords, whatever their form, and then also with the right one", async () => {
    const cookie = await opened(await invite("kim", "member"));
    const password = "a long enough password";
    const own = { cookie, origin: site.url };
    expect((await send("/api/v1/sign-in/password", own, { password })).status).toBe(200);
    const attempt = (given: string) =>
      send(
        "/auth/sign-in/email",
        { origin: site.url },
        { email: "kim@market-signal.invalid", password: given },
      );
    const form = { origin: site.url, "content-type": "application/x-www-form-urlencoded" };
    const asForm = new URLSearchParams({ email: "kim@market-signal.invalid", password });
    expect((await send("/auth/sign-in/email", form, asForm.toString())).status).toBe(400);
    expect((await attempt(password)).status).toBe(200);
    const wrong = await Promise.all(Array.from({ length: 12 }, (_, i) => attempt(`wrong password ${i}`)));
    expect(wrong.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await attempt(password)).status).toBe(429);
  });
});
