import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AppLimits } from "../../../src/domain/accounts/connected-apps.ts";
import { asToolError } from "../../../src/kernel/errors.ts";
import { appRepository } from "../../../src/store/accounts/connected-apps.ts";
import { saveAllowedApp } from "../../support/connected-apps.ts";
import { ada, liveTicketOf, T0, tradeBench } from "./bench.ts";

const CLIENT = "abc";
const byApp = { ...ada, scopes: [...ada.scopes, "trade:live" as const], keyId: `app:${CLIENT}` };

/** Trading on a live account, with an app that ada allowed. */
async function appBench(limits: AppLimits | null = { calls_daily: null, live_usd_daily: "250" }) {
  const bench = await tradeBench({ live: true, connection: { account_type: "live" } });
  await bench.setLimits({ unconfirmed_live_usd: "100000", max_orders_a_minute: 1_000 });
  await saveAllowedApp(bench.db, { account: "ada", client: CLIENT, at: T0 });
  const apps = appRepository(bench.db);
  if (limits !== null) await apps.saveLimits("ada", CLIENT, limits, T0);
  /** Sends an order for shares of 100 dollars. */
  const send = async (digit: string, quantity: string, who = byApp) => {
    const ticket = liveTicketOf(digit, { quantity });
    await bench.ports.tradeRepository.saveTicket("ada", ticket);
    return bench.execute(ticket, who);
  };
  const sent = async () => (await apps.orders("ada", bench.clock.now())).get(CLIENT);
  return { ...bench, apps, send, orders: sent };
}

describe("the daily limit of an app's live orders", () => {
  it("counts the notional of each within 24 hours, and is refused with the remaining amount", async () => {
    const bench = await appBench();
    expect(await bench.send("a", "2")).toMatchObject({ order: { state: "accepted" } });
    await expect(bench.send("b", "0.6")).rejects.toMatchObject({
      code: "REFUSED",
      message:
        "The daily limit of this app is 250 USD of live orders: it sent 200 USD within 24 hours, and with this order 260 USD",
      hint: "A person of the account can raise the limit on the page /account; an app cannot.",
      data: {
        checks: [
          { rule: "app_live_usd_daily", state: "failed", value: "260", limit: "250", would_pass: "50" },
        ],
      },
    });
    expect(bench.acts.at(-1)).toMatchObject({
      event: "order_refused",
      about: { checks: [{ rule: "app_live_usd_daily" }] },
    });
    expect(await bench.send("c", "0.5")).toMatchObject({ order: { state: "accepted" } });
    expect(await bench.orders()).toEqual({ orders_30_days: 2, live_usd_24_hours: "250" });
  });

  it.each([
    ["0, the default", null, "This app may send no live orders: its daily limit is 0 USD"],
    [
      "0",
      { calls_daily: null, live_usd_daily: "0" },
      "This app may send no live orders: its daily limit is 0 USD",
    ],
  ] as const)("of %s allows none", async (_, limits, message) => {
    const bench = await appBench(limits);
    await expect(bench.send("a", "1")).rejects.toMatchObject({ code: "REFUSED", message });
    expect(await bench.sent()).toEqual([]);
  });

  it("does not apply when null, nor to keys and people", async () => {
    const free = await appBench({ calls_daily: null, live_usd_daily: null });
    expect(await free.send("a", "9")).toMatchObject({ repeated: false });
    const bench = await appBench({ calls_daily: null, live_usd_daily: "0" });
    const key = { ...byApp, keyId: "5a56af85-64d2-433e-8165-a6ddc60f95c6" };
    expect(await bench.send("a", "1", key)).toMatchObject({ repeated: false });
    expect(await bench.orders()).toBeUndefined();
  });

  it("does not count orders that were rejected, nor those of yesterday", async () => {
    const bench = await appBench();
    const { order } = await bench.send("a", "2");
    await bench.db
      .updateTable("trade_orders")
      .set({ state: "rejected" })
      .where("id", "=", order.order_id)
      .execute();
    expect(await bench.orders()).toEqual({ orders_30_days: 1, live_usd_24_hours: "0" });
    const at = new Date(Date.parse(T0) + 86_400_000);
    expect((await bench.apps.orders("ada", at)).get(CLIENT)).toEqual({
      orders_30_days: 1,
      live_usd_24_hours: "0",
    });
  });

  it("ends with the app: its order is refused once it is disconnected", async () => {
    const bench = await appBench();
    await bench.db.deleteFrom("auth_consents").execute();
    await expect(bench.send("a", "1")).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: "The app that sends this order was disconnected",
    });
  });

  it("is never exceeded by orders at the same time, in any order and of any size", async () => {
    const quantities = fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(quantities, fc.integer({ min: 0, max: 400 }), async (cents, limit) => {
        const bench = await appBench({ calls_daily: null, live_usd_daily: String(limit) });
        const outcomes = await Promise.all(
          cents.map((many, i) =>
            bench.send(String.fromCharCode(97 + i), String(many / 100)).then(
              () => "sent",
              (thrown) => asToolError(thrown).code,
            ),
          ),
        );
        const usd = cents.filter((_, i) => outcomes[i] === "sent").reduce((sum, many) => sum + many, 0);
        expect(usd).toBeLessThanOrEqual(limit);
        expect(outcomes.filter((code) => !["sent", "REFUSED", "CONFLICT"].includes(code))).toEqual([]);
        expect(Number((await bench.orders())?.live_usd_24_hours ?? 0)).toBe(usd);
      }),
      { numRuns: 15 },
    );
  });
});
