import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";
import { movingClock } from "../../support/store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const clock = movingClock(new Date("2026-07-01T14:00:00.000Z"));
const installation = useInstallation("sample", {}, { clock });

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends a request with exactly these headers, which a browser's fetch would not allow. */
const send = (
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body = "",
): Promise<Answer> =>
  new Promise((done, fail) => {
    const url = new URL(path, installation.url);
    const sent = request(url, { method, headers: { host: url.host, ...headers } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () =>
        done({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on("error", fail);
    sent.end(body);
  });

const newLink = async () => (await installation.app.browserSessions.issueLink()).token;
/** Opens a new link and returns the cookie. */
async function signedIn(): Promise<string> {
  const { headers } = await send(`/open/${await newLink()}`);
  return String(headers["set-cookie"]?.[0]).split(";")[0]!;
}
const codeOf = ({ body }: Answer): string => JSON.parse(body.toString()).code;

describe("a link that signs a browser in", () => {
  it("works once, and sets a cookie that no script and no other site sees", async () => {
    const link = await newLink();
    const first = await send(`/open/${link}`);
    expect([first.status, first.headers.location, first.headers["cache-control"]]).toEqual([
      303,
      "/",
      "no-store",
    ]);
    expect(first.headers["set-cookie"]![0]).toMatch(
      /^market_signal_session=[\w-]{43}\.[\w%]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const again = await send(`/open/${link}`);
    expect([again.status, codeOf(again), again.headers["set-cookie"]]).toEqual([
      401,
      "UNAUTHENTICATED",
      undefined,
    ]);
  });

  it("tells a browser that opens it again which command prints a new one", async () => {
    const link = await newLink();
    await send(`/open/${link}`);
    const again = await send(`/open/${link}`, { accept: "text/html,application/xhtml+xml" });
    expect([again.status, again.headers["content-type"], again.headers["set-cookie"]]).toEqual([
      401,
      "text/html; charset=UTF-8",
      undefined,
    ]);
    expect(again.body.toString()).toContain("<code>npx market-signal open</code> prints a new one.");
  });

  it("says to ask for a new link when an invitation is opened again", async () => {
    const link = await newLink();
    const html = { accept: "text/html", origin: installation.url };
    await send(`/open/${link}`, html, "POST");
    const again = await send(`/open/${link}`, html, "POST");
    expect(again.status).toBe(401);
    expect(again.body.toString()).toContain("Ask the person who invited you for a new link.");
    expect(again.body.toString()).not.toContain("npx market-signal open");
    const page = await send(`/invited/${link}`);
    expect([page.status, page.body.toString().includes("You are invited")]).toEqual([401, false]);
  });

  it("uses no link and begins no session while the account is suspended", async () => {
    const { browserSessions, access } = installation.app;
    const invited = { account: "uma", name: "uma", role: "member" } as const;
    await access.openAccount("uma", "pro");
    const open = async (link: string) => send(`/open/${link}`, { origin: installation.url }, "POST");
    const first = await open((await browserSessions.issueLink(invited)).token);
    const cookie = String(first.headers["set-cookie"]?.[0]).split(";")[0]!;
    const json = { origin: installation.url, "content-type": "application/json" };
    const password = "correct horse battery staple";
    const set = JSON.stringify({ password });
    expect((await send("/api/v1/sign-in/password", { ...json, cookie }, "POST", set)).status).toBe(200);
    const { token: link } = await browserSessions.issueLink(invited);
    await installation.app.accounts.suspend("uma", "owner");
    const body = JSON.stringify({ email: "uma@market-signal.invalid", password });
    const signIn = () => send("/auth/sign-in/email", json, "POST", body);
    const refused = await signIn();
    expect([refused.status, refused.headers["set-cookie"]]).toEqual([403, undefined]);
    expect(refused.body.toString()).toContain("This account is suspended");
    expect([(await open(link)).status, (await send(`/invited/${link}`)).status]).toEqual([401, 401]);
    await installation.app.accounts.resume("uma", "owner");
    expect([(await signIn()).status, (await open(link)).status]).toEqual([200, 303]);
  });

  it("leads an invited person to their sign-in until they have set one, and the owner to the dashboard", async () => {
    const invited = { account: "ada", name: "ada", role: "member" } as const;
    const { browserSessions } = installation.app;
    await installation.app.access.openAccount("ada", "pro");
    const open = async () =>
      send(`/open/${(await browserSessions.issueLink(invited)).token}`, { origin: installation.url }, "POST");
    const first = await open();
    expect([first.status, first.headers.location]).toEqual([303, "/account"]);
    const cookie = String(first.headers["set-cookie"]?.[0]).split(";")[0]!;
    const own = { cookie, origin: installation.url, "content-type": "application/json" };
    const body = '{"password":"correct horse battery staple"}';
    expect((await send("/api/v1/sign-in/password", own, "POST", body)).status).toBe(200);
    expect((await open()).headers.location).toBe("/");
    expect((await send(`/open/${await newLink()}`, {}, "POST")).headers.location).toBe("/");
  });

  it("begins one session if two browsers open it at once", async () => {
    const link = await newLink();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(`/open/${link}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(401)]);
  });

  it("is not used up by a preview, a HEAD request or a proxy, and expires after 30 minutes", async () => {
    const link = await newLink();
    const refused = [
      await send(`/open/${link}`, { "sec-purpose": "prefetch" }),
      await send(`/open/${link}`, {}, "HEAD"),
      await send(`/open/${link}`, { "x-forwarded-for": "203.0.113.9" }),
      await send(`/open/${link}`, { via: "1.1 proxy" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    clock.pass(29 * MINUTE);
    expect((await send(`/open/${link}`)).status).toBe(303);
    const late = await newLink();
    clock.pass(31 * MINUTE);
    expect((await send(`/open/${late}`)).status).toBe(401);
  });
});

describe("the session of a browser", () => {
  it("opens a picture of the API, which without one is a refusal", async () => {
    const path = "/api/v1/chart/AAPL?format=png";
    expect((await send(path)).status).toBe(401);
    const { status, body } = await send(path, { cookie: await signedIn() });
    expect([status, body.subarray(1, 4).toString()]).toEqual([200, "PNG"]);
  });

  it("reads and writes as the owner, without trading and administration", async () => {
    const cookie = await signedIn();
    const quota = await send("/api/v1/quota", { cookie });
    expect(JSON.parse(quota.body.toString())).toMatchObject({
      plan: "enterprise",
      scopes: ["read", "write"],
    });
    const own = { cookie, origin: installation.url, "content-type": "application/json" };
    const list = await send("/api/v1/watchlists/mine", own, "POST", '{"symbols":["AAPL"]}');
    expect(list.status).toBe(200);
    const trade = await send("/api/broker/kill-switch", own, "POST", '{"engaged":true}');
    expect([trade.status, codeOf(trade)]).toEqual([403, "SCOPE_REQUIRED"]);
    expect((await send("/api/v1/accounts", { cookie })).status).toBe(403);
  });

  it("answers no request of another page, and no write without an origin", async () => {
    const cookie = await signedIn();
    const body = '{"symbols":["AAPL"]}';
    const json = { cookie, "content-type": "application/json" };
    const others = [
      await send("/api/v1/quota", { cookie, "sec-fetch-site": "same-site" }),
      await send("/api/v1/quota", { cookie, "sec-fetch-site": "cross-site" }),
      await send("/api/v1/quota", { cookie, origin: "http://127.0.0.1:3000" }),
      await send("/api/v1/watchlists/theirs", json, "POST", body),
      await send("/api/v1/watchlists/theirs", { ...json, origin: "http://127.0.0.1:3000" }, "POST", body),
    ];
    expect(others.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });

  it("is worth nothing at MCP and A2A", async () => {
    const cookie = await signedIn();
    const own = { cookie, origin: installation.url, "content-type": "application/json" };
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
    for (const path of ["/api/mcp", "/api/a2a"]) {
      const { status } = await send(
        path,
        { ...own, accept: "application/json, text/event-stream" },
        "POST",
        call,
      );
      expect(status, path).toBe(401);
    }
  });

  it("ends after 12 hours, and at once by signing out", async () => {
    const cookie = await signedIn();
    clock.pass(11 * HOUR);
    expect((await send("/api/v1/quota", { cookie })).status).toBe(200);
    clock.pass(2 * HOUR);
    const late = await send("/api/v1/quota", { cookie });
    expect([late.status, codeOf(late)]).toEqual([401, "UNAUTHENTICATED"]);
    const other = await signedIn();
    expect((await send("/sign-out", { cookie: other, "sec-fetch-site": "cross-site" }, "POST")).status).toBe(
      403,
    );
    expect((await send("/sign-out", { cookie: other, "sec-fetch-site": "same-origin" }, "POST")).status).toBe(
      303,
    );
    expect((await send("/api/v1/quota", { cookie: other })).status).toBe(401);
  });

  it("opens the dashboard; without one the page says where the link is", async () => {
    const page = async (headers = {}) => (await send("/", headers)).body.toString();
    expect(await page()).toContain("This browser is not signed in.");
    expect(await page({ cookie: await signedIn() })).toContain('<div id="root"></div>');
    expect(await page({ cookie: "market_signal_session=made-up" })).toContain("not signed in");
  });

  it("leads to sign-in and back to the page of a person, which says that apps may not sign in", async () => {
    const { status, headers } = await send("/account");
    expect([status, headers.location]).toEqual([303, "/sign-in?next=/account"]);
    const form = (await send("/sign-in?next=/account")).body.toString();
    expect(form).toContain('data-next="/account"');
    const evil = await send("/sign-in?next=//evil.example/account");
    expect(evil.body.toString()).toContain('data-next="/"');
    const page = await send("/account", { cookie: await signedIn() });
    expect(page.body.toString()).toContain(
      "<code>npx market-signal config set OAUTH on</code> and a restart of the server.",
    );
    expect(page.body.toString()).toMatch(
      /: set a password first, then sign in at <a href="(http:\/\/localhost:\d+\/sign-in)\?next=\/account">\1<\/a>\./,
    );
  });

  it("leaves neither a link nor a cookie in the database", async () => {
    const link = await newLink();
    const cookie = await signedIn();
    const { db } = installation.app.store;
    const rows = JSON.stringify([
      await db.selectFrom("browser_links").selectAll().execute(),
      await db.selectFrom("auth_sessions").selectAll().execute(),
    ]);
    expect(rows).not.toContain(link);
    expect(rows).not.toContain(cookie.split("=")[1]);
  });
});
