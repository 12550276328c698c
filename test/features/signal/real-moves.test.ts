import { describe, expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { withRealMoves } from "../../../src/features/signal/real-moves.ts";
import { climbingBars, marketOf, withPrices } from "../../support/market.ts";

const climbing: Bars = { ...climbingBars(), adjustment: "unknown" };
const change = 200;
const date = climbing.time[change]!;
const isoDate = new Date(date).toISOString().slice(0, 10);
/** Prices that fall to `factor` of themselves at bar 200. */
const fallen = (factor: number): Bars =>
  withPrices(climbing, (price, i) => (i < change ? price : price * factor));
const NAMES = ["MSFT", "NVDA", "TSLA", "KO", "JPM", "XOM", "WMT", "CVX"];

async function basesOf(bars: Record<string, Bars>, declared: readonly string[] = [], mode?: "files") {
  const { ports, requests } = marketOf({ bars });
  const noSplits = {
    ...ports.noSplits,
    list: async (symbol?: string) =>
      declared.map((day) => ({ symbol: symbol!, date: day, declared_at: "2026-01-15T15:00:00.000Z" })),
  };
  const market = { ...ports.market, ...(mode && { mode }) };
  const known = withRealMoves(ports.bars, { ...ports, noSplits, market });
  const { instrument } = ports.symbols.resolve("AAPL");
  const series = await known.history(instrument, { timeframe: "1d", limit: 300 });
  return { known: series.bars.noSplits, requests: requests.length };
}

describe("history with known splits", () => {
  it("reads nothing else for bars without a change like a split, and for adjusted bars", async () => {
    expect(await basesOf({ AAPL: climbing, SPY: climbing })).toEqual({ known: undefined, requests: 1 });
    const adjusted = { ...fallen(0.5), adjustment: "split" } as const;
    expect(await basesOf({ AAPL: adjusted, SPY: climbing })).toEqual({ known: undefined, requests: 1 });
  });

  it("marks a day that the owner declared no split, without the benchmark", async () => {
    expect(await basesOf({ AAPL: fallen(0.5), SPY: climbing }, [isoDate])).toEqual({
      known: [{ date, basis: "declared" }],
      requests: 1,
    });
  });

  it("marks a move that the benchmark shares, and no other", async () => {
    const market = [{ date, basis: "market" }];
    expect((await basesOf({ AAPL: fallen(0.75), SPY: fallen(0.92) })).known).toEqual(market);
    expect((await basesOf({ AAPL: fallen(0.75), SPY: fallen(0.98) })).known).toBeUndefined();
    expect((await basesOf({ AAPL: fallen(0.5), SPY: fallen(0.92) })).known).toBeUndefined();
  });

  it("compares with the median of a folder of files without a benchmark", async () => {
    const others = Object.fromEntries(NAMES.map((name, i) => [name, i < 5 ? fallen(0.92) : climbing]));
    const bars = { AAPL: fallen(0.75), ...others };
    expect((await basesOf(bars, [], "files")).known).toEqual([{ date, basis: "market" }]);
    expect((await basesOf(bars)).known).toBeUndefined();
    const few = { AAPL: fallen(0.75), ...Object.fromEntries(Object.entries(others).slice(0, 7)) };
    expect((await basesOf(few, [], "files")).known).toBeUndefined();
  });
});
