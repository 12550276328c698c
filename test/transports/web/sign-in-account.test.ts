import { describe, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";
import { oauthApp, sendTo } from "../../support/oauth-app.ts";

const PASSWORD = "correct horse battery staple";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const site = useInstallation("sample", { OAUTH: "on" });
const send = (path: string, headers: Record<string, string> = {}, body?: object | string) =>
  sendTo(site.url, path, headers, body);
const cookieIn = ({ cookies }: { readonly cookies: readonly string[] }) => cookies[0]?.split(";")[0] ?? "";
/** Sends a change as a page of this server does, and returns the status and the body. */
async function change(cookie: string, name: string, body: object = {}) {
  const answer = await send(`/api/v1/sign-in/${name}`, { cookie, origin: site.url }, body);
  return { ...answer, json: JSON.parse(answer.body) };
}
const open = async (link: string, userAgent = FIREFOX) =>
  cookieIn(await send(`/open/${link}`, { "user-agent": userAgent }));
const owner = async () => open((await site.app.browserSessions.issueLink()).token);
const invited = async (account: string) =>
  open((await site.app.peopleAdmin.invite({ account, role: "member" }, "test")).token);
const statusOf = async (cookie: string) => (await send("/api/v1/quota", { cookie })).status;
const password = (account: string, given: string, headers: Record<string, string> = {}) =>
  send(
    "/auth/sign-in/email",
    { origin: site.url, ...headers },
    { email: `${account}@market-signal.invalid`, password: given },
  );
/** Makes the sessions of an account begin two hours ago. */
const age = async (account: string) => {
  const { db } = site.app.store;
  const [person] = await db.selectFrom("auth_users").select("id").where("account", "=", account).execute();
  const createdAt = new Date(Date.now() - 2 * 3_600_000).toISOString();
  await db.updateTable("auth_sessions").set({ createdAt }).where("userId", "=", person!.id).execute();
};
const codesOf = async (cookie: string): Promise<readonly string[]> =>
  (await change(cookie, "recovery-codes")).json.codes;
const recover = (name: string, code: string, headers: Record<string, string> = {}) =>
  send("/api/v1/sign-in/recovery", { origin: site.url, ...headers }, { name, code });

describe("the connected apps of a person", () => {
  it("are offered no address while the plan of their account does not include MCP", async () => {
    const { peopleAdmin } = site.app;
    const invite = { account: "ivy", role: "viewer", plan: "individual" } as const;
    const cookie = await open((await peopleAdmin.invite(invite, "test")).token);
    const page = (await send("/account", { cookie })).body;
    expect(page).toContain("Apps connect over MCP, which needs the plan pro or above.");
    expect(page).not.toContain("/api/mcp");
    expect((await send("/account", { cookie: await owner() })).body).toContain("/api/mcp");
  });
});

describe("the sessions of a person", () => {
  it("are listed with their browsers, and end one by one or together", async () => {
    const [first, second, third] = [await invited("ada"), await invited("ada"), await invited("ada")];
    const listed = await site.app.browserSessions.list(decodeURIComponent(first.split("=")[1]!));
    expect(listed.map(({ user_agent, current }) => [user_agent, current])).toEqual([
      [FIREFOX, false],
      [FIREFOX, false],
      [FIREFOX, true],
    ]);
    const page = (await send("/account", { cookie: first })).body;
    expect(page.match(/<b>Firefox on Linux<\/b>/g)).toHaveLength(3);
    expect(page.match(/>this one</g)).toHaveLength(1);
    const mine = await site.app.browserSessions.list(decodeURIComponent(second.split("=")[1]!));
    const { id } = mine.find(({ current }) => current)!;
    expect((await change(first, "end-session", { id })).status).toBe(200);
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual([200, 401, 200]);
    expect((await change(first, "end-session", { id })).status).toBe(404);
    expect((await change(first, "end-other-sessions")).status).toBe(200);
    expect(await Promise.all([first, third].map(statusOf))).toEqual([200, 401]);
  });

  it("are not ended by another person, or by a page elsewhere", async () => {
    const [ben, cleo] = [await invited("ben"), await invited("cleo")];
    const [session] = await site.app.browserSessions.list(decodeURIComponent(ben.split("=")[1]!));
    expect((await change(cleo, "end-session", { id: session!.id })).status).toBe(404);
    const elsewhere = { cookie: ben, origin: "https://evil.example" };
    expect((await send("/api/v1/sign-in/end-other-sessions", elsewhere, {})).status).toBe(403);
    expect(await statusOf(ben)).toBe(200);
  });

  it("are replaced in a browser that signs in again, which may then change the sign-in", async () => {
    const cookie = await invited("dan");
    expect((await change(cookie, "password", { password: PASSWORD })).status).toBe(200);
    await age("dan");
    const refused = await change(cookie, "password", { password: PASSWORD });
    expect([refused.status, refused.json.code, refused.json.reason]).toEqual([
      403,
      "FORBIDDEN",
      "recent_sign_in",
    ]);
    const options = await send("/auth/passkey/generate-register-options", { cookie, origin: site.url });
    expect([options.status, JSON.parse(options.body).code]).toEqual([403, "SESSION_NOT_FRESH"]);
    expect((await send("/account", { cookie })).body).toContain('<a href="/sign-in?next=/account">');
    const again = cookieIn(await password("dan", PASSWORD, { cookie }));
    expect((await change(again, "password", { password: PASSWORD })).status).toBe(200);
    expect(await Promise.all([cookie, again].map(statusOf))).toEqual([401, 200]);
  });

  it("record their use by the hour, and the newest sign-in of their person", async () => {
    const cookie = await invited("eve");
    await change(cookie, "password", { password: PASSWORD });
    const { db } = site.app.store;
    const before = "2026-01-01T00:00:00.000Z";
    await db.updateTable("auth_sessions").set({ updatedAt: before }).execute();
    await db.updateTable("auth_users").set({ lastSignInAt: before }).execute();
    await statusOf(cookie);
    const [session] = await site.app.browserSessions.list(decodeURIComponent(cookie.split("=")[1]!));
    expect(Date.now() - Date.parse(session!.seen_at)).toBeLessThan(60_000);
    await password("eve", PASSWORD);
    const eve = (await site.app.peopleAdmin.list()).find(({ account }) => account === "eve");
    expect(Date.now() - Date.parse(eve!.last_sign_in_at!)).toBeLessThan(60_000);
  });
});

describe("recovery codes", () => {
  it("sign a person in once each, and lead to a new password", async () => {
    const codes = await codesOf(await invited("fay"));
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    const answer = await recover("Fay", ` ${codes[0]!.toUpperCase().replaceAll("-", " ")} `);
    expect([answer.status, JSON.parse(answer.body).url]).toEqual([200, "/account?recovered=1"]);
    const cookie = cookieIn(answer);
    const page = (await send("/account?recovered=1", { cookie })).body;
    expect(page).toContain("Set a new password now");
    expect(page).toContain("9 are left of those made on");
    expect((await change(cookie, "password", { password: PASSWORD })).status).toBe(200);
    const again = await recover("fay", codes[0]!);
    expect([again.status, JSON.parse(again.body).code, again.cookies]).toEqual([401, "UNAUTHENTICATED", []]);
    const events = await site.app.auditRepository.entries(0, 1_000);
    const changes = events.flatMap(({ account, event, about }) =>
      account === "fay" && event === "sign_in_changed" ? [JSON.parse(about).change] : [],
    );
    expect(changes).toEqual(["recovery_codes_made", "recovery_code_used", "password_set"]);
  });

  it("lead on to the page of an app that asks for access", async () => {
    const [code] = await codesOf(await invited("fin"));
    const app = oauthApp(site.url, "Asking app");
    await app.connect().catch(() => {});
    const { pathname, search } = app.opened[0]!;
    const asked = await send(`${pathname}${search}`);
    const { pathname: page, search: query } = new URL(asked.headers.location!, site.url);
    expect(page).toBe("/sign-in");
    const escaped = (text: string) => text.replaceAll("&", "&amp;");
    expect((await send(`/sign-in${query}`)).body).toContain(`href="/sign-in/recovery${escaped(query)}"`);
    const form = await send(`/sign-in/recovery${query}`);
    expect(form.body).toContain(`name="oauth_query" value="${escaped(query.slice(1))}"`);
    const body = { name: "fin", code: code!, oauth_query: query.slice(1) };
    const recovered = await send("/api/v1/sign-in/recovery", { origin: site.url }, body);
    const { url } = JSON.parse(recovered.body);
    expect(url).toMatch(/^\/consent\?/);
    const cookie = cookieIn(recovered);
    expect((await send(url, { cookie })).body).toContain("Asking app");
    const own = { cookie, origin: site.url };
    const answer = { accept: true, oauth_query: url.split("?")[1] };
    await app.finish(JSON.parse((await send("/auth/oauth2/consent", own, answer)).body).url);
    expect((await site.app.peopleAdmin.apps("fin")).map(({ name }) => name)).toEqual(["Asking app"]);
  });

  it("sign in once when one is sent nine times at once", async () => {
    const [code] = await codesOf(await invited("gil"));
    const answers = await Promise.all(Array.from({ length: 9 }, () => recover("gil", code!)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.flatMap(({ cookies }) => cookies)).toHaveLength(1);
  });

  it("are of one person, end with new ones and with a reset, and are stored as hashes", async () => {
    const [hal, ivy] = [await invited("hal"), await invited("ivy")];
    const [old] = await codesOf(hal);
    expect((await recover("ivy", old!)).status).toBe(401);
    const codes = await codesOf(hal);
    expect((await recover("hal", old!)).status).toBe(401);
    const rows = JSON.stringify(
      await site.app.store.db.selectFrom("auth_recovery_codes").selectAll().execute(),
    );
    for (const code of codes) {
      expect(rows).not.toContain(code);
      expect(rows).not.toContain(code.replaceAll("-", ""));
    }
    await site.app.peopleAdmin.resetSignIn("hal", "test");
    expect((await recover("hal", codes[1]!)).status).toBe(401);
    expect(await statusOf(ivy)).toBe(200);
  });

  it("are not used up while the account is suspended, nor by a page elsewhere", async () => {
    const [code] = await codesOf(await invited("jon"));
    expect((await recover("jon", code!, { origin: "https://evil.example" })).status).toBe(403);
    await site.app.accounts.suspend("jon", "test");
    expect((await recover("jon", code!)).status).toBe(401);
    await site.app.accounts.resume("jon", "test");
    expect((await recover("jon", code!)).status).toBe(200);
  });

  it("count with passwords to one lock-out", async () => {
    const cookie = await invited("kim");
    await change(cookie, "password", { password: PASSWORD });
    const [code] = await codesOf(cookie);
    const wrong = [
      ...Array.from({ length: 5 }, () => password("kim", "wrong wrong wrong")),
      ...Array.from({ length: 5 }, () => recover("kim", "0000-0000-0000-0000")),
    ];
    expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual(Array(10).fill(401));
    expect([(await recover("kim", code!)).status, (await password("kim", PASSWORD)).status]).toEqual([
      429, 429,
    ]);
  });

  it("need a recent sign-in to be made", async () => {
    const cookie = await invited("lea");
    await age("lea");
    expect((await change(cookie, "recovery-codes")).json).toMatchObject({ reason: "recent_sign_in" });
  });
});

describe("people", () => {
  it("are invited, changed, reset, suspended and resumed by the owner", async () => {
    const cookie = await owner();
    const made = await change(cookie, "invite", { account: "mia", role: "member", plan: "individual" });
    expect([made.status, made.json.url]).toEqual([200, expect.stringContaining(`${site.url}/invited/`)]);
    const mia = await open(made.json.url.split("/").at(-1));
    const listed = async () => (await site.app.peopleAdmin.list()).find(({ account }) => account === "mia");
    expect(await listed()).toMatchObject({ role: "member", plan: "individual", suspended_at: null });
    const scopes = async () => JSON.parse((await send("/api/v1/quota", { cookie: mia })).body).scopes;
    expect(await scopes()).toEqual(["read", "write"]);
    await change(cookie, "role", { account: "mia", role: "viewer" });
    expect(await scopes()).toEqual(["read"]);
    await change(cookie, "suspend", { account: "mia" });
    expect(await statusOf(mia)).toBe(401);
    expect((await send("/people", { cookie })).body).toContain("suspended");
    await change(cookie, "resume", { account: "mia" });
    expect(await statusOf(mia)).toBe(200);
    const reset = await change(cookie, "reset", { account: "mia" });
    expect(await statusOf(mia)).toBe(401);
    expect(await statusOf(await open(reset.json.url.split("/").at(-1)))).toBe(200);
    const events = await site.app.auditRepository.entries(0, 1_000);
    expect(events.filter(({ account }) => account === "mia").map(({ event }) => event)).toEqual([
      "person_invited",
      "role_changed",
      "account_suspended",
      "account_resumed",
      "sign_in_reset",
    ]);
  });

  it("are listed while their invitations are open, which the owner ends at any age of the session", async () => {
    const cookie = await owner();
    const { json } = await change(cookie, "invite", { account: "pia", role: "viewer" });
    await change(cookie, "invite", { account: "quin", role: "member" });
    const { peopleAdmin, auditRepository } = site.app;
    const openLinks = async () =>
      (await peopleAdmin.invitations())
        .map(({ account, role }) => `${account} ${role}`)
        // links of resets are open too
        .filter((link) => /^(pia|quin) /.test(link));
    expect(await openLinks()).toEqual(["pia viewer", "quin member"]);
    const page = (await send("/people", { cookie })).body;
    expect(page).toContain(`until <time datetime="${json.expires_at}">`);
    expect(page).toContain('aria-label="End invitation: pia"');
    await site.app.accounts.suspend("pia", "test");
    expect(await openLinks()).toEqual(["quin member"]);
    await site.app.accounts.resume("pia", "test");
    expect(await openLinks()).toEqual(["pia viewer", "quin member"]);
    await age("owner");
    expect((await change(cookie, "end-invitation", { account: "pia" })).status).toBe(200);
    expect((await change(cookie, "end-invitation", { account: "pia" })).status).toBe(404);
    expect((await send(`/open/${json.url.split("/").at(-1)}`)).status).toBe(401);
    expect(await openLinks()).toEqual(["quin member"]);
    const events = (await auditRepository.entries(0, 1_000)).filter(({ account }) => account === "pia");
    expect(events.map(({ event }) => event)).toEqual([
      "person_invited",
      "account_suspended",
      "account_resumed",
      "invitation_ended",
    ]);
    await change(cookie, "end-invitation", { account: "quin" });
  });

  it("are not changed by another person, an old session, a key or a page elsewhere", async () => {
    const member = await invited("noa");
    const cookie = await owner();
    const bodies = {
      invite: { account: "noa", role: "member" },
      role: { account: "noa", role: "viewer" },
      reset: { account: "noa" },
      suspend: { account: "noa" },
      resume: { account: "noa" },
      "end-invitation": { account: "noa" },
    };
    const { key } = await site.key("enterprise", ["read", "write", "admin"]);
    for (const [name, body] of Object.entries(bodies)) {
      const path = `/api/v1/sign-in/${name}`;
      const statuses = [
        (await change(member, name, body)).status,
        (await send(path, { cookie, origin: "https://evil.example" }, body)).status,
        (await send(path, { cookie }, body)).status,
        (await send(path, { origin: site.url, authorization: `Bearer ${key}` }, body)).status,
      ];
      expect(statuses, name).toEqual([403, 403, 403, 401]);
    }
    await age("owner");
    expect((await change(cookie, "suspend", { account: "noa" })).json.reason).toBe("recent_sign_in");
    expect((await send("/people", { cookie: member })).headers.location).toBe("/account");
    expect((await send("/people")).headers.location).toBe("/sign-in?next=/people");
    expect(await statusOf(member)).toBe(200);
  });

  it("do not include the owner, whose role, account and sign-in stay", async () => {
    const cookie = await owner();
    for (const [name, body] of [
      ["role", { account: "owner", role: "viewer" }],
      ["suspend", { account: "owner" }],
      ["reset", { account: "owner" }],
      ["invite", { account: "owner", role: "member" }],
    ] as const)
      expect((await change(cookie, name, body)).status, name).toBe(400);
    expect((await change(cookie, "role", { account: "nobody", role: "viewer" })).status).toBe(404);
    expect(await statusOf(cookie)).toBe(200);
  });
});

it("keys are made and revoked by a browser only within an hour of its sign-in", async () => {
  const cookie = await owner();
  const own = { cookie, origin: site.url };
  const made = await send("/api/v1/installation/keys", own, { name: "mine" });
  expect(made.status).toBe(200);
  await age("owner");
  const { id } = JSON.parse(made.body);
  const refused = [
    await send("/api/v1/installation/keys", own, { name: "mine" }),
    await sendTo(site.url, `/api/v1/installation/keys/${id}`, own, undefined, "DELETE"),
  ];
  expect(refused.map(({ status, body }) => [status, JSON.parse(body).reason])).toEqual([
    [403, "recent_sign_in"],
    [403, "recent_sign_in"],
  ]);
  expect((await send("/api/v1/installation/keys", own)).status).toBe(200);
});
