import { beforeAll, describe, expect, it } from "vitest";
import { SESSION_COOKIE } from "../../../src/access/sign-in/paths.ts";
import { allow, signedIn } from "../../support/connected-app.ts";
import { TRADING, useLiveBroker } from "../../support/live-broker.ts";
import { needsPerson, type OAuthApp, oauthApp, sendTo } from "../../support/oauth-app.ts";

const live = useLiveBroker();
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const CONFIRM = "decision=confirm&api_key=key&api_secret=secret";

/** Results of tools, as the app gets them. */
interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly text: string }[];
}

describe("an app with every trading scope", () => {
  let app: OAuthApp;
  let cookie: string;
  const call = async (name: string, input: object): Promise<Result> =>
    (await app.client.callTool({ name, arguments: { ...input } })) as Result;
  beforeAll(async () => {
    const { site } = live;
    cookie = await signedIn(site);
    // the library reads the clock of the machine, which is ahead of the market's
    await site.app.store.db
      .updateTable("auth_sessions")
      .set({ expiresAt: "2099-01-01T00:00:00.000Z" })
      .execute();
    app = oauthApp(site.url, "Confirming app");
    expect(needsPerson(await app.connect().catch((error: unknown) => error))).toBe(true);
    app.opened.at(-1)!.searchParams.set("scope", ["offline_access", ...TRADING].join(" "));
    await allow(site, { app, cookie }, { live_usd_daily: "100000" });
  }, 60_000);

  /** Tries to confirm over every transport and at the page, with the token of the app. */
  async function attempts(id: string): Promise<readonly number[]> {
    const { url } = live.site;
    const bearer = { authorization: `Bearer ${app.tokens().access_token}` };
    const page = `/confirm/${id}`;
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "message/send",
      params: {
        message: {
          messageId: "m1",
          role: "user",
          kind: "message",
          parts: [{ kind: "text", text: `confirm ${id}` }],
        },
      },
    };
    const sent = [
      await sendTo(url, page, FORM, CONFIRM),
      await sendTo(url, page, { ...FORM, ...bearer }, CONFIRM),
      await sendTo(url, page, { ...FORM, ...bearer, origin: url }, CONFIRM),
      await sendTo(
        url,
        page,
        { ...FORM, origin: url, cookie: `${SESSION_COOKIE}=${app.tokens().access_token}` },
        CONFIRM,
      ),
      await sendTo(url, page, bearer),
      await sendTo(url, "/confirm", bearer),
      await sendTo(url, "/api/broker/execute-trade", bearer, { ticket_id: id }),
      await sendTo(url, "/api/broker/request-limits", bearer, { changes: ["max_quantity=5"] }),
      await sendTo(url, "/api/a2a", bearer, message),
    ];
    return sent.map(({ status }) => status);
  }

  it("confirms neither its order nor its change of limits, by any request, and its person confirms both", async () => {
    const order = await live.ticket();
    const refused = await call("execute_trade", { ticket_id: order });
    expect([refused.isError, refused.content[0]!.text]).toEqual([
      true,
      expect.stringMatching(/^REFUSED: This live trade is not confirmed/),
    ]);
    const asked = await call("request_limits", { changes: ["max_quantity=5"] });
    const limits = String(asked.structuredContent!.request_id);
    for (const id of [order, limits]) {
      expect(await attempts(id)).toEqual([403, 403, 401, 401, 303, 303, 401, 401, 401]);
      expect(await live.site.app.confirmations.state("owner", id)).toBe("waiting");
    }
    const names = (await app.client.listTools()).tools.map(({ name }) => name);
    expect(names.filter((name) => /confirm|approve|decide/.test(name))).toEqual([]);
    expect((await call("execute_trade", { ticket_id: order })).isError).toBe(true);
    expect([live.orders(), (await live.site.app.ports.tradeRules.limits("owner")).set]).toEqual([0, {}]);
    for (const id of [order, limits]) {
      const headers = { ...FORM, cookie, origin: live.site.url };
      expect((await sendTo(live.site.url, `/confirm/${id}`, headers, "decision=confirm")).status).toBe(303);
    }
    expect(await call("execute_trade", { ticket_id: order })).toMatchObject({
      structuredContent: { order: { state: "accepted" } },
    });
    expect(live.orders()).toBe(1);
  });
});
