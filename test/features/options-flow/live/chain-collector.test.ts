import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../../src/domain/market/market.ts";
import { createChainCollector } from "../../../../src/features/options-flow/live/chain-collector.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { settableClock } from "../../../support/providers.ts";

const named = (symbol: string): Instrument =>
  symbol.endsWith("-USD") ? { ...fixed("BTC-USD"), symbol } : { ...fixed("AAPL"), symbol };

/** A collector at a moment that finds every name but NONE and fails for FAIL. */
function collectorAt(iso = "2026-01-15T16:00:00Z") {
  const { signal } = new AbortController();
  const clock = settableClock(iso);
  const saved: string[] = [];
  const pauses: number[] = [];
  const warned: unknown[] = [];
  const leaving = new AbortController();
  const round = createChainCollector({
    async save({ symbol }) {
      if (symbol === "FAIL") throw new Error("no chain");
      if (symbol === "LAST") leaving.abort();
      saved.push(symbol);
    },
    symbols: {
      find: (name) => (name === "NONE" ? null : { instrument: named(name), alternatives: [] }),
    },
    clock,
    log: { info: () => {}, error: () => {}, warn: (_, facts) => void warned.push(facts) },
    pause: async (ms) => void pauses.push(ms),
  });
  return { saved, pauses, warned, clock, signal, leaving, round };
}

describe("the collector of chains", () => {
  it("saves the market funds and the requested symbols, each once, and no coins", async () => {
    const { round, saved, pauses, signal } = collectorAt();
    await round(["AAPL", "SPY", "BTC-USD", "NONE"], signal);
    expect(saved).toEqual(["SPY", "QQQ", "IWM", "AAPL"]);
    expect(pauses).toEqual([]);
  });

  it("requests 25 at most, with a pause before each after the fifth", async () => {
    const { round, saved, pauses, signal } = collectorAt();
    await round(
      Array.from({ length: 40 }, (_, i) => `S${i}`),
      signal,
    );
    expect(saved).toHaveLength(25);
    expect(pauses).toEqual(Array.from({ length: 20 }, () => 15_000));
  });

  it.each([
    ["2026-01-15T14:44:00Z", 0], // a quarter of an hour before, options did not trade yet: 09:29 New York
    ["2026-01-15T14:45:00Z", 3],
    ["2026-01-15T21:14:00Z", 3], // what traded until 15:59
    ["2026-01-15T21:15:00Z", 0],
    ["2026-01-17T16:00:00Z", 0], // a Saturday
  ])("at %s saves %i", async (iso, count) => {
    const { round, saved, signal } = collectorAt(iso);
    await round([], signal);
    expect(saved).toHaveLength(count);
  });

  it("continues after a failure, and logs it", async () => {
    const { round, saved, warned, signal } = collectorAt();
    await round(["FAIL", "AAPL"], signal);
    expect(saved).toEqual(["SPY", "QQQ", "IWM", "AAPL"]);
    expect(warned).toEqual([{ symbol: "FAIL", cause: expect.any(Error) }]);
  });

  it("stops when its signal aborts", async () => {
    const { round, saved, leaving } = collectorAt();
    await round(["LAST", "AAPL"], leaving.signal);
    expect(saved).toEqual(["SPY", "QQQ", "IWM", "LAST"]);
  });
});
