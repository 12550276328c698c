import { describe, expect, it } from "vitest";
import { addAlerts } from "../../../src/store/alerts/deliveries.ts";
import { deliveryLog } from "../../../src/store/alerts/delivery-log.ts";
import { deliveryQueue } from "../../../src/store/alerts/delivery-queue.ts";
import { subscriptionRepository } from "../../../src/store/alerts/subscriptions.ts";
import { queueStates } from "../../../src/store/queue-states.ts";
import { alertOf } from "../../support/alerts.ts";
import { testStore } from "../../support/store.ts";
import { subscribed } from "../../support/watch.ts";

const AT = Date.UTC(2026, 0, 15, 15);
const attempt = (at: number, status = 200) => ({
  at: new Date(at).toISOString(),
  status,
  reason: status === 200 ? null : `It answered ${status}`,
  ms: 3,
});

/** A store with two subscriptions of ada that deliver, and one of bob that only stores. */
async function openRepository() {
  const { db } = await testStore();
  const here = { db, market: "test" };
  const rows = subscriptionRepository(here);
  const sends = { channel: "webhook", target: "a.example" } as const;
  await rows.add("ada", { subscription: subscribed(1, sends), seen: {} });
  await rows.add("ada", { subscription: subscribed(2, sends), seen: {} });
  await rows.add("bob", { subscription: subscribed(3), seen: {} });
  const add = (account: string, n: number, text: string) => {
    const fired = { alert_id: `al_${n}${text}`, text, fired_at: new Date(AT).toISOString() };
    const alert = alertOf(subscribed(n).subscription_id, n, fired);
    return addAlerts(db, { market: "test", at: AT, alerts: [{ account, alert }] });
  };
  return { ...here, rows, add, ...deliveryQueue(here), ...deliveryLog(here) };
}
type Deliveries = Awaited<ReturnType<typeof openRepository>>;
const addAll = async ({ add }: Deliveries, ...alerts: readonly (readonly [number, string])[]) => {
  for (const [n, text] of alerts) await add("ada", n, text);
};
const texts = async ({ take }: Deliveries, now: number) =>
  (await take(now, 99, 1_000)).map(({ alert }) => alert.text);
const states = async ({ deliveries }: Deliveries, account = "ada") =>
  (await deliveries(account, { limit: 99 })).map(({ alert, state }) => `${alert.text} ${state}`).toReversed();

describe("the queue of deliveries", () => {
  it("leases each delivery to one process, and the oldest open one of a subscription first", async () => {
    const own = await openRepository();
    await addAll(own, [1, "a"], [1, "b"], [2, "c"], [1, "d"]);
    expect(await own.nextAt()).toBe(AT);
    const [first, other] = await own.take(AT, 99, 1_000);
    expect([first!.alert.text, other!.alert.text]).toEqual(["a", "c"]);
    expect(first).toMatchObject({
      account: "ada",
      attempts: 0,
      subscription: { channel: "webhook", state: "active" },
    });
    expect(await texts(own, AT + 999)).toEqual([]);
    expect(await own.nextAt()).toBe(AT + 1_000);
    const dueAt = async (now: number) => (await queueStates(own, now))[0];
    expect(await dueAt(AT + 999)).toEqual({ queue: "deliveries", due: 0, oldest_ms: 0 });
    expect(await dueAt(AT + 1_500)).toEqual({ queue: "deliveries", due: 2, oldest_ms: 500 });
    await own.delivered(first!.id, attempt(AT + 10));
    expect(await texts(own, AT + 10)).toEqual(["b"]);
    // the lease of c has ended, but not that of b
    const again = await own.take(AT + 1_000, 99, 1_000);
    expect(again).toMatchObject([{ alert: { text: "c" }, attempts: 1 }]);
    expect(await states(own)).toEqual(["a delivered", "b sending", "c sending", "d waiting"]);
  });

  it("skips hosts, accounts and hosts of an account at their limit", async () => {
    const own = await openRepository();
    await addAll(own, [1, "a"]);
    const none = { hosts: [], accounts: [], lanes: [] };
    const lane = (account: string, host: string) => ({ ...none, lanes: [{ account, host }] });
    const atLimit = [
      { ...none, hosts: ["a.example"] },
      { ...none, accounts: ["ada"] },
      lane("ada", "a.example"),
    ];
    for (const full of atLimit) expect(await own.take(AT, 9, 1_000, full)).toEqual([]);
    for (const full of [lane("bob", "a.example"), lane("ada", "b.example")]) {
      const [taken] = await own.take(AT, 9, 1_000, full);
      expect(taken!.alert.text).toBe("a");
      await own.failed(taken!.id, attempt(AT, 500), AT);
    }
  });

  it("takes a delivery whose time or lease was set while the clock was ahead", async () => {
    const own = await openRepository();
    await own.add("ada", 1, "a");
    const ahead = AT + 30 * 86_400_000;
    const [first] = await own.take(ahead, 9, 1_000);
    expect(await texts(own, ahead + 999)).toEqual([]);
    expect(await texts(own, AT)).toEqual(["a"]);
    await own.failed(first!.id, attempt(ahead, 500), ahead + 7_200_000);
    expect(await texts(own, AT + 1_000)).toEqual(["a"]);
    // the longest wait is a day
    await own.failed(first!.id, attempt(AT, 500), AT + 86_400_000);
    expect(await texts(own, AT)).toEqual([]);
  });

  it("delays later deliveries until the next attempt of an earlier one", async () => {
    const own = await openRepository();
    await own.add("ada", 1, "a");
    const [first] = await own.take(AT, 9, 1_000);
    await own.failed(first!.id, attempt(AT, 500), AT + 10_000);
    await own.add("ada", 1, "b");
    expect(await own.nextAt()).toBe(AT + 10_000);
    expect(await texts(own, AT + 9_999)).toEqual([]);
    expect(await own.take(AT + 10_000, 9, 1_000)).toMatchObject([{ alert: { text: "a" }, attempts: 1 }]);
    await own.failed(first!.id, attempt(AT + 10_001, 500), null);
    expect(await texts(own, AT + 10_001)).toEqual(["b"]);
    const [, given] = await own.deliveries("ada", { limit: 9 });
    expect(given).toMatchObject({
      state: "undelivered",
      reason: "It answered 500",
      attempts: [{ status: 500 }, { status: 500 }],
    });
  });

  it("cancels open deliveries when the receiver is gone or the subscription ends, and records late successes", async () => {
    const own = await openRepository();
    await addAll(own, [1, "a"], [1, "b"], [2, "c"], [2, "d"]);
    const [first, second] = await own.take(AT, 9, 1_000);
    await own.failed(first!.id, attempt(AT, 410), null, "The receiver is gone");
    expect(await own.rows.list("ada")).toMatchObject([
      { state: "paused", reason: "The receiver is gone" },
      { state: "active" },
    ]);
    expect(await own.rows.remove("ada", subscribed(2).subscription_id)).toBe(true);
    expect(await states(own)).toEqual(["a undelivered", "b undelivered", "c undelivered", "d undelivered"]);
    expect(await own.nextAt()).toBeNull();
    await own.delivered(second!.id, attempt(AT + 5));
    await own.failed(second!.id, attempt(AT + 6, 500), AT + 7);
    expect(await states(own)).toEqual(["a undelivered", "b undelivered", "c delivered", "d undelivered"]);
    expect(await own.nextAt()).toBeNull();
  });

  it("adds an alert once, only to the account's own subscription, and settles those without a channel", async () => {
    const own = await openRepository();
    expect(await own.add("ada", 1, "a")).toBe(1);
    expect(await own.add("ada", 1, "a")).toBe(0);
    expect(await own.add("bob", 1, "b")).toBe(0);
    expect(await own.add("bob", 3, "c")).toBe(1);
    expect(await states(own)).toEqual(["a waiting"]);
    expect(await states(own, "bob")).toEqual(["c stored"]);
    const elsewhere = { db: own.db, market: "another" };
    expect(await deliveryLog(elsewhere).deliveries("ada", { limit: 9 })).toEqual([]);
    expect(await deliveryQueue(elsewhere).take(AT, 9, 1_000)).toEqual([]);
  });

  it("deletes deliveries settled three months ago in small batches, and never open ones", async () => {
    const own = await openRepository();
    await addAll(own, [1, "a"], [2, "b"], [2, "c"]);
    const [first] = await own.take(AT, 1, 1_000);
    await own.delivered(first!.id, attempt(AT));
    const later = AT + 91 * 86_400_000;
    await addAlerts(own.db, {
      market: "test",
      at: later,
      alerts: [{ account: "ada", alert: { ...first!.alert, alert_id: "al_new", text: "new" } }],
    });
    expect(await states(own)).toEqual(["b waiting", "c waiting", "new waiting"]);
    expect(await own.db.selectFrom("delivery_attempts").selectAll().execute()).toEqual([]);
  });
});
