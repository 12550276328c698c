import { expect, it } from "vitest";
import { changeRepository } from "../../../src/store/alerts/changes.ts";
import { deliveryLog } from "../../../src/store/alerts/delivery-log.ts";
import { subscriptionRepository } from "../../../src/store/alerts/subscriptions.ts";
import { watchlists } from "../../../src/store/alerts/watchlists.ts";
import { alertOf } from "../../support/alerts.ts";
import { testStore } from "../../support/store.ts";
import { START, subscribed } from "../../support/watch.ts";

const openRepository = async () => {
  const { db } = await testStore();
  const here = { db, market: "test" };
  return {
    db,
    ...subscriptionRepository(here),
    ...changeRepository(here),
    ...deliveryLog(here),
    lists: watchlists(here),
  };
};
const AT = START.toISOString();
const alert = (alert_id: string, n: number) =>
  alertOf(subscribed(n).subscription_id, n, { alert_id, text: alert_id });

it("stores subscriptions by account and market", async () => {
  const { db, add, find, list, remove, activeSubscriptions } = await openRepository();
  await add("ada", { subscription: subscribed(1), seen: { "BTC-USD": "x" } });
  await add("bob", { subscription: subscribed(2, { name: "two" }), seen: {} });
  expect(await list("ada")).toEqual([subscribed(1)]);
  expect(await find("ada", subscribed(2).subscription_id)).toBeNull();
  expect(await remove("ada", subscribed(2).subscription_id)).toBe(false);
  expect(await activeSubscriptions()).toEqual([
    { account: "ada", subscription: subscribed(1), seen: { "BTC-USD": "x" } },
    { account: "bob", subscription: subscribed(2, { name: "two" }), seen: {} },
  ]);
  const elsewhere = subscriptionRepository({ db, market: "another" });
  expect([await elsewhere.list("ada"), await elsewhere.activeSubscriptions()]).toEqual([[], []]);
  expect(await remove("bob", subscribed(2).subscription_id)).toBe(true);
  expect(await list("bob")).toEqual([]);
});

it("uses the current symbols of its account's watchlist", async () => {
  const { add, list, lists } = await openRepository();
  const save = (account: string, symbols: string[]) =>
    lists.save(account, { name: "l", symbols, saved_at: AT });
  await save("ada", ["AAPL"]);
  await save("bob", ["TSLA"]);
  await add("ada", { subscription: subscribed(1, { watchlist: "l", symbols: ["AAPL"] }), seen: {} });
  await save("ada", ["MSFT", "NVDA"]);
  expect((await list("ada"))[0]!.symbols).toEqual(["MSFT", "NVDA"]);
});

it("stores the state of a condition and its alerts only when the state is unchanged since it was read", async () => {
  const { add, save, activeSubscriptions, deliveries } = await openRepository();
  await add("ada", { subscription: subscribed(1), seen: {} });
  const see = (before: string | null, now: string, account = "ada") =>
    save({
      series: { symbol: "BTC-USD", timeframe: "1d" },
      at: START.getTime(),
      state: null,
      change: null,
      alerts: [],
      seen: [
        {
          account,
          subscription: subscribed(1).subscription_id,
          symbol: "BTC-USD",
          before,
          now,
          alerts: [alert(`al_${now}`, 1)],
        },
      ],
    });
  expect(await see(null, "1")).toEqual({ changed: false, alerts: 1 });
  expect(await see(null, "2")).toEqual({ changed: false, alerts: 0 });
  expect(await see("1", "3")).toEqual({ changed: false, alerts: 1 });
  expect(await see("3", "4", "bob")).toEqual({ changed: false, alerts: 0 });
  expect((await activeSubscriptions())[0]!.seen).toEqual({ "BTC-USD": "3" });
  expect((await deliveries("ada", { limit: 9 })).map((one) => one.alert.text)).toEqual(["al_3", "al_1"]);
});

it("is paused once, with a last alert, and is then inactive", async () => {
  const { add, pause, activeSubscriptions, list, deliveries } = await openRepository();
  await add("ada", { subscription: subscribed(1), seen: {} });
  const id = subscribed(1).subscription_id;
  const why = { reason: "It is gone", alert: alert("al_gone", 1) };
  expect(await pause("bob", id, why)).toBe(false);
  expect(await pause("ada", id, why)).toBe(true);
  expect(await pause("ada", id, why)).toBe(false);
  expect(await list("ada")).toMatchObject([{ state: "paused", reason: "It is gone" }]);
  expect(await activeSubscriptions()).toEqual([]);
  expect(await deliveries("ada", { limit: 9 })).toHaveLength(1);
});
