import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { callWhenFree, withInteractiveReserve } from "../../../src/market/failover/background-calls.ts";
import { callInOrder } from "../../../src/market/failover/chain.ts";
import type { Guarded } from "../../../src/market/failover/guard.ts";
import { liveHistory } from "../../../src/market/prices/history.ts";
import { fixed, fixedHistory } from "../../support/fixed-world.ts";
import { fakeProvider, settableClock, shortMemory } from "../../support/providers.ts";

const CLOSE = Date.parse("2025-12-02T21:00:00Z");
const apple = fixed("AAPL");
const spy = fixed("SPY");
const link = fixed("LINK");
const { signal } = new AbortController();
const DOWN = new ProviderFailure("down", "no");

const fake = (name: string, unavailableReason: Guarded["unavailableReason"]): Guarded => ({
  ...fakeProvider(name, { clock: settableClock("2025-12-03T01:00:00Z") }),
  unavailableReason,
});

/** Bars of one provider with `calls` calls per minute. */
function setup(calls: number, failure: ProviderFailure | null = null) {
  const clock = settableClock("2025-12-03T01:00:00Z");
  let callCount = 0;
  const serve = fixedHistory(clock.at);
  const guarded = fakeProvider("one", {
    clock,
    budget: { calls, perMs: 60_000, atOnce: 4 },
    history: async (request) => {
      callCount++;
      if (failure !== null) throw failure;
      return serve(request);
    },
  });
  const { memory } = shortMemory();
  const bars = liveHistory({ chain: () => [guarded], memory, clock });
  return { clock, guarded, bars, memory, called: () => callCount };
}
const night = { timeframe: "1d", limit: 100, asOf: CLOSE } as const;
/** Lets background work poll twice. */
const poll = () => vi.advanceTimersByTimeAsync(250);

describe("background calls", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("wait for a free call slot and leave the interactive share of the budget unused", async () => {
    const { clock, bars, called } = setup(3);
    await bars.background.history(apple, night);
    await bars.background.history(spy, night);
    const waiting = bars.background.history(link, night);
    await poll();
    expect(called(), "one call in five is reserved for interactive requests").toBe(2);
    await bars.history(link, night);
    expect(called(), "an interactive request is answered meanwhile").toBe(3);
    await expect(
      bars.history(fixed("BRK.B"), night),
      "an interactive request does not wait",
    ).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    clock.move(60_000);
    await poll();
    expect((await waiting).bars.time).toHaveLength(100);
  });

  it("stop waiting when their signal aborts", async () => {
    const { bars } = setup(2);
    await bars.background.history(apple, night);
    const stop = new AbortController();
    const waiting = bars.background.history(spy, { ...night, signal: stop.signal });
    const rejected = expect(waiting).rejects.toThrow("enough");
    await poll();
    stop.abort(new Error("enough"));
    await poll();
    await rejected;
  });

  it("use cached bars that cover their time, and never stale ones", async () => {
    const { clock, bars, guarded, called, memory } = setup(9);
    await bars.background.history(apple, night);
    clock.move(3_600_000);
    await bars.background.history(apple, night);
    expect(called()).toBe(1);
    const { asOf: _, ...current } = night;
    await bars.history(apple, current);
    expect(called(), "an interactive request without a past time gets current bars").toBe(2);
    clock.move(86_400_000);
    const off = liveHistory({
      chain: () => [{ ...guarded, unavailableReason: () => "resting", call: () => Promise.reject(DOWN) }],
      memory,
      clock,
    });
    const next = { ...night, asOf: CLOSE + 86_400_000 };
    expect((await off.history(apple, next)).origin?.stale).toBe(true);
    await expect(off.background.history(apple, next)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("do not wait for a failing provider", async () => {
    const { bars, called } = setup(9, DOWN);
    await expect(bars.background.history(apple, night)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(called()).toBe(2);
  });

  it("call rate-limited providers again, and no other provider twice", async () => {
    const order: string[] = [];
    const full = fake("full", () => (order.length < 2 ? "over_budget" : null));
    const unlisted = fake("unlisted", () => null);
    const call = (guards: readonly Guarded[]) =>
      callInOrder(
        guards,
        async ({ provider: { name } }) => {
          order.push(name);
          if (name === "unlisted" || order.length < 3) throw new ProviderFailure("unknown_symbol", "no");
          return name;
        },
        { signal },
      );
    order.push("begun");
    const called = expect(callWhenFree([unlisted, full], signal, call)).resolves.toMatchObject({
      answer: "full",
    });
    await poll();
    await called;
    expect(order).toEqual(["begun", "unlisted", "full"]);
  });

  it("leave one call to a provider whose budget is one call", () => {
    const { guarded } = setup(1);
    expect(withInteractiveReserve(guarded).unavailableReason()).toBeNull();
  });
});
