import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { callWhenFree, withInteractiveReserve } from "../../../src/market/failover/background-calls.ts";
import { callInOrder } from "../../../src/market/failover/chain.ts";
import type { Guarded } from "../../../src/market/failover/guard.ts";
import { liveHistory } from "../../../src/market/prices/history.ts";
import { fixed, fixedWorld } from "../../support/fixed-world.ts";
import { fakeProvider, settableClock, shortMemory } from "../../support/providers.ts";

const CLOSE = Date.parse("2025-12-02T21:00:00Z");
const apple = fixed("AAPL");
const spy = fixed("SPY");
const link = fixed("LINK");
const { signal } = new AbortController();
const DOWN = new ProviderFailure("down", "no");

const fake = (name: string, unready: Guarded["unavailableReason"]): Guarded => ({
  ...fakeProvider(name, { clock: settableClock("2025-12-03T01:00:00Z") }),
  unavailableReason: unready,
});

/** Bars of one source of so many calls a minute. */
function stand(calls: number, failure: ProviderFailure | null = null) {
  const clock = settableClock("2025-12-03T01:00:00Z");
  let asked = 0;
  const guarded = fakeProvider("one", {
    clock,
    budget: { calls, perMs: 60_000, atOnce: 4 },
    history: async ({ timeframe, from, until }) => {
      asked++;
      if (failure !== null) throw failure;
      return {
        bars: fixedWorld(clock.at()).bars("AAPL", timeframe, { from, until }),
        adjustment: "split",
        hours: "regular",
        volumeScope: "all_venues",
        venue: "US",
      };
    },
  });
  const { memory } = shortMemory();
  const bars = liveHistory({ chain: () => [guarded], memory, clock });
  return { clock, guarded, bars, memory, asked: () => asked };
}
const night = { timeframe: "1d", limit: 100, asOf: CLOSE } as const;
/** Lets waiting work look around. */
const looks = () => new Promise((later) => setTimeout(later, 250));

describe("work that nobody waits for", () => {
  it("waits for the budget to fill, and leaves people their share of it", async () => {
    const { clock, bars, asked } = stand(3);
    await bars.background.history(apple, night);
    await bars.background.history(spy, night);
    const waiting = bars.background.history(link, night);
    await looks();
    expect(asked(), "one call in five stays with people, one at the least").toBe(2);
    await bars.history(link, night);
    expect(asked(), "a person is answered meanwhile").toBe(3);
    await expect(bars.history(fixed("BRK.B"), night), "and a person does not wait").rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    clock.move(60_000);
    expect((await waiting).bars.time).toHaveLength(100);
  });

  it("stops waiting when its signal says so", async () => {
    const { bars } = stand(2);
    await bars.background.history(apple, night);
    const stop = new AbortController();
    const waiting = bars.background.history(spy, { ...night, signal: stop.signal });
    await looks();
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  it("asks nobody again for bars that are held until its moment, and takes no older ones for them", async () => {
    const { clock, bars, guarded, asked, memory } = stand(9);
    await bars.background.history(apple, night);
    clock.move(3_600_000);
    await bars.background.history(apple, night);
    expect(asked()).toBe(1);
    await bars.history(apple, night);
    expect(asked(), "a person is told what is so by now").toBe(2);
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

  it("waits for nobody who is out of order", async () => {
    const { bars, asked } = stand(9, DOWN);
    await expect(bars.background.history(apple, night)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(asked()).toBe(2);
  });

  it("asks those again that had no place, and of the others none twice", async () => {
    const order: string[] = [];
    const full = fake("full", () => (order.length < 2 ? "over_budget" : null));
    const unlisted = fake("unlisted", () => null);
    const ask = (guards: readonly Guarded[]) =>
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
    await expect(callWhenFree([unlisted, full], signal, ask)).resolves.toMatchObject({ answer: "full" });
    expect(order).toEqual(["begun", "unlisted", "full"]);
  });

  it("never leaves a source of one call a window none at all", () => {
    const { guarded } = stand(1);
    expect(withInteractiveReserve(guarded).unavailableReason()).toBeNull();
  });
});
