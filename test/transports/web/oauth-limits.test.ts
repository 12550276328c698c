import { describe, expect, it, vi } from "vitest";
import {
  type AllowedApp,
  allow,
  connectApp,
  consentQuery,
  listedApp,
  quoteOf,
  signedIn,
} from "../../support/connected-app.ts";
import { useInstallation } from "../../support/installation.ts";
import { needsPerson, type OAuthApp, oauthApp, sendTo } from "../../support/oauth-app.ts";
import { onEachInsert } from "../../support/postgres.ts";

const site = useInstallation("sample", { OAUTH: "on" });
const send = (...rest: Parameters<typeof sendTo> extends [string, ...infer R] ? R : never) =>
  sendTo(site.url, ...rest);

const textOf = (result: Awaited<ReturnType<typeof quoteOf>>): string =>
  (result.content as readonly { readonly text: string }[])[0]!.text;
const windowOf = async ({ app }: AllowedApp) => {
  const { structuredContent } = await app.client.callTool({ name: "get_quota", arguments: {} });
  return (structuredContent as { windows: readonly { name: string }[] }).windows.find(
    ({ name }) => name === "app",
  );
};
const listed = (app: AllowedApp, account?: string) => listedApp(site, app, account);

describe("the daily calls of an app", () => {
  it("are exactly those that its person allowed, also at the same time", async () => {
    const limited = await connectApp(site, { limits: { calls_daily: 25 } });
    const other = await connectApp(site);
    const results = await Promise.all(Array.from({ length: 60 }, () => quoteOf(limited)));
    const refused = results.filter(({ isError }) => isError === true);
    expect([results.length - refused.length, refused.length]).toEqual([25, 35]);
    expect(textOf(refused[0]!)).toMatch(
      /^RATE_LIMITED: Limit reached: 25 calls of this app per day.*A person of the account can raise the limit of the app on the page \/account; an app cannot\./s,
    );
    expect((await quoteOf(other)).isError).toBeFalsy();
    await site.storeUsage();
    expect(await listed(limited)).toMatchObject({ calls_today: 60, limits: { calls_daily: 25 } });
  });

  it("are a window of get_quota, and 1,000 if the answer names none", async () => {
    const app = await connectApp(site);
    await quoteOf(app);
    expect(await windowOf(app)).toMatchObject({ quota: 1_000, window: 86_400, remaining: 998 });
    expect(await windowOf(await connectApp(site, { limits: { calls_daily: null } }))).toBeUndefined();
  });

  it("are changed by its person at once, and what was called still counts", async () => {
    const app = await connectApp(site, { limits: { calls_daily: 2 } });
    const [first, second, third] = [await quoteOf(app), await quoteOf(app), await quoteOf(app)];
    expect([first, second, third].map(({ isError }) => isError === true)).toEqual([false, false, true]);
    const own = { cookie: app.cookie, origin: site.url };
    const change = (body: object) => send("/api/v1/sign-in/app-limits", own, body);
    const client_id = app.clientId;
    expect((await change({ client_id, calls_daily: 4 })).status).toBe(200);
    const more = [await quoteOf(app), await quoteOf(app), await quoteOf(app)];
    expect(more.map(({ isError }) => isError === true)).toEqual([false, false, true]);
    expect(await listed(app)).toMatchObject({ limits: { calls_daily: 4, live_usd_daily: "0" } });
    const refused = await Promise.all([
      change({ client_id, calls_daily: 0 }),
      change({ client_id, live_usd_daily: "-1" }),
      change({ client_id: "unknown", calls_daily: 4 }),
      send("/api/v1/sign-in/app-limits", { cookie: app.cookie }, { client_id, calls_daily: 9 }),
      send(
        "/api/v1/sign-in/app-limits",
        { authorization: `Bearer ${app.app.tokens().access_token}` },
        {
          client_id,
          calls_daily: 9,
        },
      ),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 404, 403, 401]);
    expect(await listed(app)).toMatchObject({ limits: { calls_daily: 4 } });
  });
});

describe("an app that is disconnected while it calls", () => {
  it("gets each answer or a 401, and nothing more after that", async () => {
    const app = await connectApp(site);
    const headers = {
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${app.app.tokens().access_token}`,
    };
    const params = { name: "get_quote", arguments: { symbol: "AAPL" } };
    const call = async (id: number) =>
      (await send("/api/mcp", headers, { jsonrpc: "2.0", id, method: "tools/call", params })).status;
    const first = await call(0);
    const calls = Array.from({ length: 60 }, (_, id) => call(id + 1));
    await Promise.race(calls);
    await site.app.peopleAdmin.disconnect("owner", app.clientId, "test");
    const statuses = await Promise.all(calls);
    expect([first, ...statuses].filter((status) => status !== 200 && status !== 401)).toEqual([]);
    expect([first, await call(100)]).toEqual([200, 401]);
    expect(await listed(app)).toBeUndefined();
    const { db } = site.app.store;
    const limits = await db
      .selectFrom("connected_apps")
      .selectAll()
      .where("client", "=", app.clientId)
      .execute();
    expect(limits).toEqual([]);
  });

  it("may end its own access, and no other's", async () => {
    const [app, other] = [await connectApp(site), await connectApp(site)];
    const end = (client_id: string) =>
      app.app.client.callTool({ name: "disconnect_app", arguments: { client_id } });
    const needed = await end(app.clientId).catch((error: unknown) => error);
    expect(needsPerson(needed), String(needed)).toBe(true);
    await allow(site, app);
    expect(textOf((await end(other.clientId)) as never)).toContain(
      "FORBIDDEN: An app can disconnect only itself",
    );
    expect(await listed(other)).toBeDefined();
    expect((await end(app.clientId)).structuredContent).toMatchObject({ disconnected: true });
    expect(await listed(app)).toBeUndefined();
  });
});

describe("the answer of a person to an app", () => {
  /** Lets the session of a cookie begin three hours ago. */
  const makeOld = async (cookie: string) => {
    const token = cookie.split("=")[1]!.split(".")[0]!;
    const createdAt = new Date(Date.now() - 3 * 3_600_000).toISOString();
    await site.app.store.db
      .updateTable("auth_sessions")
      .set({ createdAt })
      .where("token", "=", token)
      .execute();
  };
  const answered = async (app: OAuthApp, cookie: string, limits?: object) =>
    send(
      "/auth/oauth2/consent",
      { cookie, origin: site.url },
      { accept: true, oauth_query: await consentQuery(site, app, cookie), ...(limits && { limits }) },
    );
  const asking = async () => {
    const app = oauthApp(site.url);
    await app.connect().catch(() => {});
    return app;
  };

  it("is refused with invalid limits, and allows nothing then", async () => {
    const cookie = await signedIn(site);
    const app = await asking();
    const before = (await site.app.peopleAdmin.apps("owner")).length;
    for (const limits of [{ calls_daily: 1.5 }, { calls_daily: "9" }, { live_usd_daily: "a" }, { more: 1 }])
      expect((await answered(app, cookie, limits)).status, JSON.stringify(limits)).toBe(400);
    expect(await site.app.peopleAdmin.apps("owner")).toHaveLength(before);
  });

  it("changes nothing if it is refused: a wrong signature, another client, limits from an old session", async () => {
    const app = await connectApp(site, { limits: { calls_daily: 7 } });
    const other = await asking();
    const { client_id: otherId } = (await other.provider.clientInformation()) as { client_id: string };
    const { db } = site.app.store;
    const rows = () => db.selectFrom("connected_apps").selectAll().orderBy("client").execute();
    const entries = async () => (await db.selectFrom("audit_log").selectAll().execute()).length;
    const query = await consentQuery(site, other, app.cookie);
    const to = (client: string) => {
      const changed = new URLSearchParams(query);
      changed.set("client_id", client);
      return changed.toString();
    };
    const limits = { calls_daily: null, live_usd_daily: "1000" };
    const answer = async (oauth_query: string, body: object = { limits }) =>
      send(
        "/auth/oauth2/consent",
        { cookie: app.cookie, origin: site.url },
        { accept: true, oauth_query, ...body },
      );
    const [before, written] = [await rows(), await entries()];
    expect((await answer(to(app.clientId))).status).toBe(400);
    expect((await answer(to("unknown"))).status).toBe(400);
    expect((await answer(`${query}a`)).status).toBe(400);
    await makeOld(app.cookie);
    const old = await answer(query);
    expect([old.status, JSON.parse(old.body)]).toEqual([
      403,
      expect.objectContaining({ code: "FORBIDDEN", reason: "recent_sign_in" }),
    ]);
    expect([await rows(), await entries()]).toEqual([before, written]);
    const allowed = await answer(query, {});
    expect([allowed.status, new URL(JSON.parse(allowed.body).url).searchParams.has("code")]).toEqual([
      200,
      true,
    ]);
    expect(await listed({ ...app, clientId: otherId })).toMatchObject({
      limits: { calls_daily: 1_000, live_usd_daily: "0" },
    });
  });

  it.each(["trade:live", "admin"])(
    "needs a recent session to allow %s, and the page says so",
    async (scope) => {
      const app = await connectApp(site);
      const address = app.app.opened.at(-1)!;
      address.searchParams.set("scope", `read ${scope}`);
      const query = await consentQuery(site, app.app, app.cookie);
      const page = async () => (await send(`/consent?${query}`, { cookie: app.cookie })).body;
      expect(await page()).not.toContain("sign in again");
      await makeOld(app.cookie);
      expect(await page()).toContain(">sign in again</a>");
      const sent = await send(
        "/auth/oauth2/consent",
        { cookie: app.cookie, origin: site.url },
        { accept: true, oauth_query: query },
      );
      expect([sent.status, JSON.parse(sent.body).reason]).toEqual([403, "recent_sign_in"]);
      expect(await listed(app)).toMatchObject({ scopes: expect.not.arrayContaining([scope]) });
    },
  );

  it("is a conflict if the account is deleted meanwhile, and prints no stack", async () => {
    await site.app.access.openAccount("gone");
    const cookie = await signedIn(site, { account: "gone", name: "gone", role: "member" });
    const app = await asking();
    const { db } = site.app.store;
    // deletes the person between the check of the session and the stored consent
    const removing = await onEachInsert(
      db,
      "auth_consents",
      "DELETE FROM auth_users WHERE account = 'gone';",
    );
    const printed = vi.spyOn(console, "error");
    const answer = await answered(app, cookie);
    await removing.end();
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      409,
      expect.objectContaining({ code: "CONFLICT", detail: "The account or the app was removed meanwhile" }),
    ]);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});
