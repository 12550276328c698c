import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { listDeliveries } from "../../tools/list-deliveries.ts";
import { pro } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";
import { alertMarket, NO_RECEIVER, subscribed } from "../support/watch.ts";

const fixture = await alertMarket();
const { ports, rows, queue } = fixture;
const list = (account: string, input: object = {}) =>
  invoke(listDeliveries, input, { ports, principal: { ...pro, account }, transport: "test" });
const AT = Date.UTC(2026, 0, 15, 15);
const iso = new Date(AT).toISOString();

/** Saves this number of alerts for a subscription of the account. */
async function fire(account: string, subscription_id: string, count: number) {
  const series = { symbol: "BTC-USD", timeframe: "1d" } as const;
  for (let n = 0; n < count; n++)
    await rows.save({
      series,
      at: AT,
      state: null,
      change: null,
      alerts: [],
      seen: [
        {
          account,
          subscription: subscription_id,
          symbol: "BTC-USD",
          before: n === 0 ? null : `${n - 1}`,
          now: `${n}`,
          alerts: [
            {
              alert_id: `al_${subscription_id}${n}`,
              subscription_id,
              ...series,
              fired_at: iso,
              as_of: iso,
              text: `alert ${n}`,
              change: null,
              figures: { price: n },
              source: "fixture",
              market: "sample" as const,
            },
          ],
        },
      ],
    });
}

describe("list_deliveries", () => {
  it("lists alerts with their state and every attempt, only to their account", async () => {
    const subscription = subscribed(1, { channel: "webhook", target: "a.example" });
    const { subscription_id } = subscription;
    await ports.subscriptions.add("ada", {
      subscription,
      seen: {},
      receiver: { ...NO_RECEIVER, url: "https://a.example" },
    });
    expect(await list("ada")).toMatchObject({ deliveries: [], hint: /list_subscriptions/ });
    await fire("ada", subscription_id, 2);
    const [due] = await queue.take(AT, 9, 1_000);
    await queue.failed(due!.id, { at: iso, status: 500, reason: "It answered 500", ms: 12 }, AT + 10_000);
    expect(await list("ada")).toMatchObject({
      deliveries: [
        { state: "waiting", next_attempt_at: null, attempts: [], alert: { text: "alert 1" } },
        {
          state: "waiting",
          channel: "webhook",
          target: "a.example",
          subscription_id,
          reason: null,
          next_attempt_at: "2026-01-15T15:00:10.000Z",
          alert: { text: "alert 0", figures: { price: 0 } },
          attempts: [{ at: iso, status: 500, reason: "It answered 500", ms: 12 }],
        },
      ],
      count: 2,
      hint: null,
      market: "sample",
    });
    expect((await list("ada", { limit: 1 })).count).toBe(1);
    expect((await list("ada", { state: "undelivered" })).count).toBe(0);
    expect((await list("ada", { subscription_id })).count).toBe(2);
    expect((await list("bob")).count).toBe(0);
    await expect(list("bob", { subscription_id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await ports.subscriptions.remove("ada", subscription_id);
    expect(
      (await list("ada", { subscription_id, state: "undelivered" })).deliveries.map(({ reason }) => reason),
    ).toEqual([...["The subscription was cancelled", "The subscription was cancelled"]]);
    expect(listDeliveries.terminal!(await list("ada"), (_, text) => text)).toContain(
      "1 attempts, the last at 2026-01-15T15:00:00.000Z: 500",
    );
  });
});

describe("list_deliveries from and to", () => {
  it("returns the alerts of a range and each once over all pages, although all fired at once", async () => {
    const subscription = { ...subscribed(7, { channel: "none", target: null }) };
    await ports.subscriptions.add("cyd", { subscription, seen: {}, receiver: NO_RECEIVER });
    await fire("cyd", subscription.subscription_id, 5);
    const textsOf = (deliveries: readonly { alert: { text: string } }[]) =>
      deliveries.map(({ alert }) => alert.text);
    const all = await list("cyd", { from: iso, to: iso });
    expect(textsOf(all.deliveries)).toEqual(["alert 4", "alert 3", "alert 2", "alert 1", "alert 0"]);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list("cyd", {
        limit: 2,
        ...(cursor && { cursor }),
      });
      seen.push(...textsOf(page.deliveries));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(textsOf(all.deliveries));
    expect((await list("cyd", { to: "2026-01-14" })).count).toBe(0);
    await expect(list("cyd", { from: "2026-01-12", to: "2026-01-11" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});

toolContract(listDeliveries, { ports });
