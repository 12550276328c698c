import { describe, expect, it } from "vitest";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { between, correlation, marketAt, mean } from "./fixture.ts";

// 3,287 days from 2017 to 2025
const { bars } = marketAt("2026-01-01T00:00:00Z");
const request = { timeframe: "1d", limit: 5_000 } as const;
const days = await Promise.all(
  LISTINGS.map(async (listing) => ({
    instrument: listing.instrument,
    usual: listing.volume,
    ...(await bars.history(listing.instrument, request)).bars,
  })),
);
const returnsOf = (close: Float64Array) =>
  Array.from(close.subarray(1), (price, i) => Math.log(price / close[i]!));
const moves = new Map(days.map((one) => [one.instrument.symbol, returnsOf(one.close)]));

const moment = (values: readonly number[], power: number) => {
  const centre = mean(values);
  return mean(values.map((x) => (x - centre) ** power));
};
const correlated = (a: readonly number[], b: readonly number[]) => correlation(a.map((x, i) => [x, b[i]!]));
const clustering = (values: readonly number[], lag: number) => {
  const sizes = values.map(Math.abs);
  return correlated(sizes.slice(lag), sizes.slice(0, -lag));
};
const all = [...moves.values()];
const stocks = days
  .filter(({ instrument }) => instrument.asset_class === "equity")
  .map(({ instrument }) => instrument);

describe("the daily path", () => {
  // Stylised facts of daily returns: Cont, "Empirical properties of asset returns" (2001)
  it("has fat tails", () => {
    between(mean(all.map((r) => moment(r, 4) / moment(r, 2) ** 2)), 4.5, 9);
  });

  it("clusters volatile days with slow decay, while returns are uncorrelated", () => {
    between(mean(all.map((r) => clustering(r, 1))), 0.15, 0.3);
    between(mean(all.map((r) => clustering(r, 20))), 0.06, 0.2);
    between(mean(all.map((r) => correlated(r.slice(1), r.slice(0, -1)))), -0.03, 0.03);
  });

  it("correlates stocks as in real markets, and more strongly within sectors", () => {
    const pairs = stocks.flatMap((a, i) => stocks.slice(0, i).map((b) => [a, b] as const));
    const pairing = (chosen: typeof pairs) =>
      mean(chosen.map(([a, b]) => correlated(moves.get(a.symbol)!, moves.get(b.symbol)!)));
    const across = pairing(pairs.filter(([a, b]) => a.sector !== b.sector));
    const within = pairing(pairs.filter(([a, b]) => a.sector === b.sector));
    between(pairing(pairs), 0.2, 0.4);
    between(within - across, 0.05, 0.3);
  });

  it("derives SPY from the market and QQQ from the market and technology", () => {
    const average = stocks
      .map(({ symbol }) => moves.get(symbol)!)
      .reduce((sum, one) => sum.map((x, i) => x + one[i]! / stocks.length), Array(3_286).fill(0));
    between(correlated(moves.get("SPY")!, average), 0.95, 1);
    const lead = moves.get("QQQ")!.map((x, i) => x - moves.get("SPY")![i]!);
    const tech = moves.get("XLK")!.map((x, i) => x - moves.get("SPY")![i]!);
    between(correlated(lead, tech), 0.8, 1);
  });

  it.each(days)(
    "gives $instrument.symbol plausible prices over nine years",
    ({ instrument, usual, ...held }) => {
      const start = held.open[0]!;
      expect(held.close).toHaveLength(3_287);
      between(Math.min(...held.low) / start, 1 / 20, 1);
      between(Math.max(...held.high) / start, 1, 20);
      const coin = instrument.asset_class === "crypto";
      const yearly = Math.sqrt(moment(moves.get(instrument.symbol)!, 2) * (coin ? 365 : 252));
      if (coin) between(yearly, 0.35, 0.9);
      else between(yearly, 0.1, 0.6);
      between(mean([...held.volume]) / usual, 0.8, 1.3);
    },
  );

  it("lets stocks gap overnight and coins open at their last close", () => {
    for (const { instrument, open, close } of days) {
      const gaps = open.subarray(1).filter((price, i) => price !== close[i]).length;
      if (instrument.asset_class === "crypto") expect(gaps).toBe(0);
      else expect(gaps).toBeGreaterThan(2_900);
    }
  });

  it("keeps open and close inside the range on every day", () => {
    for (const { open, high, low, close } of days)
      for (let i = 0; i < open.length; i++) {
        if (high[i]! < Math.max(open[i]!, close[i]!) || low[i]! > Math.min(open[i]!, close[i]!))
          expect.fail(`day ${i}`);
      }
  });
});
