import { describe, expect, it } from "vitest";
import {
  type AllowedApp,
  allow,
  connectApp,
  consentQuery,
  listedApp,
  quoteOf,
} from "../../support/connected-app.ts";
import { useInstallation } from "../../support/installation.ts";
import { needsPerson, sendTo } from "../../support/oauth-app.ts";

const site = useInstallation("sample", { OAUTH: "on" });
const send = (...rest: Parameters<typeof sendTo> extends [string, ...infer R] ? R : never) =>
  sendTo(site.url, ...rest);

const listed = (app: AllowedApp, account?: string) => listedApp(site, app, account);

describe("an app that disconnects itself", () => {
  /** Ends a token as the client of an app does. */
  const revoke = ({ clientId: client_id }: AllowedApp, token: string) =>
    send(
      "/auth/oauth2/revoke",
      { "content-type": "application/x-www-form-urlencoded" },
      new URLSearchParams({ token, client_id }).toString(),
    );
  const entries = async (client: string) =>
    (await site.app.auditRepository.entries(0, 10_000)).flatMap(({ event, about }) =>
      event === "app_disconnected" && JSON.parse(about).client === client ? [JSON.parse(about).by] : [],
    );

  it("by revoking its tokens is no longer listed, and has the limits of its new consent afterwards", async () => {
    const app = await connectApp(site, { limits: { calls_daily: 25 } });
    const { access_token: access, refresh_token: refresh } = app.app.tokens();
    expect((await revoke(app, access)).status).toBe(200);
    expect(await listed(app)).toMatchObject({ limits: { calls_daily: 25 } });
    const other = await connectApp(site);
    expect((await revoke(other, refresh!)).status).not.toBe(500);
    expect(await listed(app)).toBeDefined();
    expect((await revoke(app, refresh!)).status).toBe(200);
    expect([await listed(app), await entries(app.clientId)]).toEqual([undefined, [`app:${app.clientId}`]]);
    expect((await revoke(app, refresh!)).status).toBe(400);
    expect(await entries(app.clientId)).toHaveLength(1);
    expect(needsPerson(await quoteOf(app).catch((error: unknown) => error))).toBe(true);
    await allow(site, app);
    expect(await listed(app)).toMatchObject({ limits: { calls_daily: 1_000, live_usd_daily: "0" } });
    expect(await listed(other)).toBeDefined();
  });
});

describe("an app that revokes a token of another app or an old one", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const revoke = async (fields: readonly (readonly [string, string])[], headers = {}) => {
    const body = new URLSearchParams(
      fields.map(([name, value]): [string, string] => [name, value]),
    ).toString();
    const answer = await send("/auth/oauth2/revoke", { ...form, ...headers }, body);
    return [answer.status, answer.body === "" ? null : JSON.parse(answer.body)] as const;
  };
  const refresh = async ({ clientId, app }: AllowedApp, token = app.tokens().refresh_token!) => {
    const body = { grant_type: "refresh_token", client_id: clientId, refresh_token: token };
    const answer = await send("/auth/oauth2/token", form, new URLSearchParams(body).toString());
    return answer.status === 200 ? JSON.parse(answer.body) : null;
  };
  const isAllowed = async (app: AllowedApp) =>
    !needsPerson(await quoteOf(app).catch((error: unknown) => error));

  it("ends nothing of the app that it names, whichever way it names it", async () => {
    const good = await connectApp(site);
    const evil = await connectApp(site);
    const own = evil.app.tokens().refresh_token!;
    expect(await refresh(evil)).not.toBeNull();
    const basic = { authorization: `Basic ${Buffer.from(`${good.clientId}:`).toString("base64")}` };
    const other = [400, { error: "invalid_grant", error_description: "The token was issued to another app" }];
    expect(
      await revoke([
        ["token", own],
        ["client_id", good.clientId],
      ]),
    ).toEqual(other);
    expect(
      await revoke([
        ["token", `Bearer ${own}`],
        ["client_id", good.clientId],
      ]),
    ).toEqual(other);
    expect(await revoke([["token", own]], basic)).toEqual(other);
    expect(
      await revoke([
        ["token", own],
        ["client_id", evil.clientId],
        ["client_id", good.clientId],
      ]),
    ).toEqual(other);
    expect(await isAllowed(good)).toBe(true);
    expect(await refresh(good)).not.toBeNull();
  });

  it("is no longer listed once none of its tokens is valid, however it revokes them", async () => {
    const scheme = await connectApp(site);
    const [bearer, replaced] = [scheme.app.tokens().refresh_token!, await connectApp(site)];
    const one = { error: "invalid_request", error_description: "The request must contain exactly one token" };
    expect(
      await revoke([
        ["token", "x"],
        ["token", bearer],
        ["client_id", scheme.clientId],
      ]),
    ).toEqual([400, one]);
    expect(await revoke([["client_id", scheme.clientId]])).toEqual([400, one]);
    expect(await listed(scheme)).toBeDefined();
    for (const token of [scheme.app.tokens().access_token, bearer])
      expect(
        (
          await revoke([
            ["token", `Bearer ${token}`],
            ["client_id", scheme.clientId],
          ])
        )[0],
      ).toBe(200);
    expect(await listed(scheme)).toBeUndefined();
    const first = replaced.app.tokens();
    expect(await refresh(replaced)).not.toBeNull();
    await revoke([
      ["token", first.access_token],
      ["client_id", replaced.clientId],
    ]);
    await revoke([
      ["token", first.refresh_token!],
      ["client_id", replaced.clientId],
    ]);
    expect([await isAllowed(replaced), await listed(replaced)]).toEqual([false, undefined]);
  });

  it("keeps the consent whose code it has not exchanged yet", async () => {
    const app = await connectApp(site);
    const before = app.app.tokens();
    const answer = await answerOf(app);
    for (const token of [before.access_token, before.refresh_token!])
      await revoke([
        ["token", token],
        ["client_id", app.clientId],
      ]);
    expect(await listed(app)).toBeDefined();
    await app.app.finish(answer);
    expect(await isAllowed(app)).toBe(true);
  });

  it("may do no more with an earlier token than its consent allows now", async () => {
    const app = await connectApp(site);
    expect(await isAllowed(app)).toBe(true);
    await site.app.store.db
      .updateTable("auth_consents")
      .set({ scopes: JSON.stringify(["offline_access"]) })
      .where("clientId", "=", app.clientId)
      .execute();
    await expect(quoteOf(app)).rejects.toThrow("403 insufficient_scope");
  });

  it("exchanges no code once it was disconnected", async () => {
    const app = await connectApp(site);
    const answer = await answerOf(app);
    await site.app.peopleAdmin.disconnect("owner", app.clientId, "owner");
    await expect(app.app.finish(answer)).rejects.toThrow();
    expect(await listed(app)).toBeUndefined();
  });

  /** Lets the person of an app allow it once more, and returns the address with the code. */
  async function answerOf({ app, cookie }: AllowedApp): Promise<string> {
    const oauth_query = await consentQuery(site, app, cookie);
    const sent = await send(
      "/auth/oauth2/consent",
      { cookie, origin: site.url },
      { accept: true, oauth_query },
    );
    return JSON.parse(sent.body).url;
  }
});
