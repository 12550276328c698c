import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { priceRangeOf } from "../../../src/analytics/check/price-range.ts";
import { type Windows, windowsOf } from "../../../src/analytics/check/windows.ts";
import { oddsOf } from "../../../src/analytics/odds/odds.ts";
import { pastCoverage } from "../../../src/analytics/odds/past-coverage.ts";
import { mapColumns, sliceBars } from "../../../src/domain/market/bars.ts";
import { draws } from "../../support/draws.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";

const BARS = syntheticBars(11, 500);
const ASSET = { bars: BARS, symbol: "AAPL", assetClass: "equity" } as const;
const CLOSE = BARS.close.at(-1)!;

describe("the range of the price", () => {
  it.each([1, 5, 20, 37, 60])("equals that of the odds at the last close, after %i bars", (horizon) => {
    const { quantiles, baseQuantiles } = oddsOf({
      ...ASSET,
      horizons: [5, horizon].sort((a, b) => a - b),
    }).odds!.horizons.find(({ bars }) => bars === horizon)!;
    expect(priceRangeOf({ ...ASSET, from: CLOSE, horizon }).range).toMatchObject({
      bars: horizon,
      p5: quantiles[0],
      p95: quantiles.at(-1),
      base: { p5: baseQuantiles![0], p95: baseQuantiles!.at(-1) },
    });
  });

  it("is at the same relative distances from another price", () => {
    const at = priceRangeOf({ ...ASSET, from: CLOSE, horizon: 20 }).range!;
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), (factor) => {
        const { range } = priceRangeOf({ ...ASSET, from: CLOSE * factor, horizon: 20 });
        expect(range!.p5 / factor / at.p5).toBeCloseTo(1, 9);
        expect(range!.base.p95 / factor / at.base.p95).toBeCloseTo(1, 9);
      }),
      { numRuns: draws(12) },
    );
  });

  it("has as base the past windows, by hand", () => {
    // 99 windows of one bar before the last stay, and the last 41 rise by a tenth every bar
    const closes = Array.from({ length: 141 }, (_, i) => (i < 100 ? 100 : 100 * 1.1 ** (i - 99)));
    const columns = { high: closes.map((price) => price * 1.01), low: closes.map((price) => price * 0.99) };
    const bars = barsAround(closes, columns);
    const { base } = priceRangeOf({ ...ASSET, bars, from: 50, horizon: 1 }).range!;
    expect(base).toEqual({ p5: expect.closeTo(50, 9), p95: expect.closeTo(55, 9) });
  });

  it("has 60 past windows of 60 bars with the fewest bars that have odds", () => {
    const { past } = windowsOf({ ...ASSET, bars: sliceBars(BARS, 380), from: CLOSE, horizon: 60 }) as Windows;
    expect(past.close).toHaveLength(60);
  });

  it("has the past coverage of the class at the nearest measured number of bars", () => {
    const [five, twenty, sixty] = pastCoverage("equity", "1d").map(({ cover_90 }) => cover_90);
    const coverAt = (horizon: number) => priceRangeOf({ ...ASSET, from: CLOSE, horizon }).range!.pastCover90;
    expect([1, 12, 13, 20, 40, 41, 60].map(coverAt)).toEqual([
      ...[five, five, twenty, twenty],
      ...[twenty, sixty, sixty],
    ]);
    const coin = priceRangeOf({ ...ASSET, assetClass: "crypto", from: CLOSE, horizon: 60 }).range!;
    expect(coin.pastCover90).toBe(pastCoverage("crypto", "1d")[2]!.cover_90);
  });

  it("has no past coverage for leveraged funds and for bars that are not daily", () => {
    const wild = mapColumns(BARS, (column, name) =>
      name === "time" || name === "volume" ? column : column.map((price) => price ** 3),
    );
    const coverOf = (subject: Partial<Parameters<typeof priceRangeOf>[0]>) =>
      priceRangeOf({ ...ASSET, from: CLOSE, horizon: 20, ...subject }).range!.pastCover90;
    expect(coverOf({ assetClass: "etf" })).toBe(pastCoverage("etf", "1d")[1]!.cover_90);
    expect(coverOf({ assetClass: "etf", bars: wild })).toBeNull();
    expect(coverOf({ bars: { ...BARS, timeframe: "1h" } })).toBeNull();
  });

  it("has a reason when there is none", () => {
    const reasonOf = (subject: Partial<Parameters<typeof priceRangeOf>[0]>) =>
      priceRangeOf({ ...ASSET, from: CLOSE, horizon: 20, ...subject });
    expect(reasonOf({ bars: sliceBars(BARS, 400) })).toEqual({
      range: null,
      reason: "Odds need 120 bars, there are 100",
    });
    for (const horizon of [0, 61, 2.5, Number.NaN])
      expect(reasonOf({ horizon })).toEqual({
        range: null,
        reason: `Odds reach 1 to 60 bars, not ${horizon}`,
      });
  });
});
