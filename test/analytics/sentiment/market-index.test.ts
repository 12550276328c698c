import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bandOf,
  INDEX_PARTS,
  type IndexBars,
  indexPart,
  indexValue,
} from "../../../src/analytics/sentiment/market-index.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";

const DAY = 86_400_000;
const COUNT = 420;

/**
 * Daily bars whose close on day i is `price(i)`, with a range of a tenth of a dollar either way and a volume of 1,000.
 */
function daily(price: (i: number) => number, volume: (i: number) => number = () => 1_000): Bars {
  const column = (of: (i: number) => number) => Float64Array.from({ length: COUNT }, (_, i) => of(i));
  return {
    time: column((i) => Date.UTC(2024, 0, 1) + i * DAY),
    open: column(price),
    high: column((i) => price(i) + 0.1),
    low: column((i) => price(i) - 0.1),
    close: column(price),
    volume: column(volume),
    timeframe: "1d",
    adjustment: "split",
    zone: "UTC",
  };
}
const wave = (i: number, phase = 0) => 100 + 10 * Math.sin((i + phase) / 9) + (i % 7) / 10;
const market = (over: Partial<IndexBars> = {}): IndexBars => ({
  benchmark: daily((i) => wave(i)),
  bonds: daily((i) => wave(i, 11)),
  stocks: Array.from({ length: 24 }, (_, k) => daily((i) => wave(i, k))),
  coins: Array.from({ length: 6 }, (_, k) => daily((i) => wave(i, 3 * k))),
  ...over,
});
function marketIndex(bars: IndexBars) {
  const parts = INDEX_PARTS.map((name) => indexPart(name, bars));
  return { value: indexValue(parts), parts };
}
const part = (bars: IndexBars, name: string) => marketIndex(bars).parts.find((one) => one.part === name)!;

describe("the market sentiment index", () => {
  it("is the mean of its available parts", () => {
    const { value, parts } = marketIndex(market());
    const present = parts.filter((one) => one.value !== null);
    expect(present).toHaveLength(6);
    expect(value).toBeCloseTo(present.reduce((sum, one) => sum + one.value!, 0) / 6, 12);
    expect(parts.find(({ value }) => value === null)).toEqual({
      part: "put_call",
      value: null,
      reading: null,
      reason: "No provider of option volumes is connected",
    });
  });

  it("reads put/call as the mean of five ratios, where few puts mean greed", () => {
    const day = (i: number) => Date.UTC(2024, 0, 1) + i * DAY;
    const ratios = (count: number, last: number) =>
      Array.from({ length: count }, (_, i) => ({ day: day(i), ratio: i === count - 1 ? last : 1 }));
    // Four of 1 and one of .5: a mean below all the others.
    expect(part(market({ putCall: ratios(COUNT, 0.5) }), "put_call")).toMatchObject({
      reading: 0.9,
      value: expect.closeTo((100 * (251 + 0.5)) / 252, 10),
    });
    expect(part(market({ putCall: ratios(COUNT, 3) }), "put_call").value).toBeCloseTo(50 / 252, 10);
    expect(
      marketIndex(market({ putCall: ratios(COUNT, 0.5) })).parts.every(({ value }) => value !== null),
    ).toBe(true);
  });

  it("has no put/call part if ratios are too few, or stale on the last day", () => {
    const ratios = Array.from({ length: COUNT }, (_, i) => ({
      day: Date.UTC(2024, 0, 1) + i * DAY,
      ratio: 1 + (i % 3),
    }));
    expect(part(market({ putCall: [] }), "put_call").reason).toContain("Too few");
    expect(part(market({ putCall: ratios.slice(0, -5) }), "put_call").value).not.toBeNull();
    expect(part(market({ putCall: ratios.slice(0, -6) }), "put_call")).toMatchObject({
      value: null,
      reading: null,
    });
    expect(part(market({ putCall: ratios.slice(-129) }), "put_call").reason).toContain("126 days");
    expect(part(market({ putCall: ratios.slice(-130) }), "put_call").value).not.toBeNull();
  });

  it("reads momentum as the close against its 125-day mean, and ranks it among 252 days", () => {
    // Flat at 100, then 110 on the last day: the mean of 125 days is 100.08, and this is the highest distance so far.
    const { value, reading } = part(
      market({ benchmark: daily((i) => (i === COUNT - 1 ? 110 : 100)) }),
      "momentum",
    );
    expect(reading).toBeCloseTo(110 / 100.08 - 1, 12);
    expect(value).toBeCloseTo((100 * (251 + 0.5)) / 252, 10);
  });

  it("reads new highs less new lows as a share of the members", () => {
    const rising = Array.from({ length: 15 }, () => daily((i) => 100 + i));
    const falling = Array.from({ length: 9 }, () => daily((i) => 1_000 - i));
    expect(part(market({ stocks: [...rising, ...falling] }), "new_highs_lows").reading).toBeCloseTo(
      6 / 24,
      12,
    );
  });

  it("reads volume breadth as traded value in rising and falling stocks", () => {
    // Each day 20 stocks of 100 dollars x 1,000 rise and 4 of 400 x 1,000 fall, each by less than a thousandth of a
    // dollar.
    const up = Array.from({ length: 20 }, () => daily((i) => 100 + i / 1e6));
    const down = Array.from({ length: 4 }, () => daily((i) => 400 - i / 1e6));
    expect(part(market({ stocks: [...up, ...down] }), "volume_breadth").reading).toBeCloseTo(
      (2_000 - 1_600) / 3_600,
      4,
    );
  });

  it("reads the safe haven part as the 20-day return of stocks less that of bonds", () => {
    const bars = market({ benchmark: daily((i) => 100 * 1.001 ** i), bonds: daily(() => 90) });
    expect(part(bars, "safe_haven").reading).toBeCloseTo(100 * (1.001 ** 20 - 1), 9);
  });

  it("reads risk appetite as the share of coins above their 50-day mean", () => {
    const above = Array.from({ length: 3 }, () => daily((i) => 100 + i));
    const below = Array.from({ length: 2 }, () => daily((i) => 1_000 - i));
    expect(part(market({ coins: [...above, ...below] }), "risk_appetite").reading).toBeCloseTo(0.6, 12);
  });

  it("uses the previous day of coins, the last one closed when the session closes", () => {
    const leaping = (day: number) => daily((i) => (i < day ? 100 : 200));
    const on = (day: number) => Array.from({ length: 6 }, () => leaping(day));
    expect(part(market({ coins: on(COUNT - 1) }), "risk_appetite").reading).toBe(0);
    expect(part(market({ coins: on(COUNT - 2) }), "risk_appetite").reading).toBe(1);
    const without = on(COUNT - 2).map((bars) => sliceBars(bars, 0, COUNT - 1));
    expect(part(market({ coins: without }), "risk_appetite").reading, "the day itself is not needed").toBe(1);
  });

  it("reads lower volatility than usual as greed", () => {
    const calm = daily((i) => 100 + (i < COUNT - 21 ? 2 : 0.1) * (i % 2));
    const wild = daily((i) => 100 + (i < COUNT - 21 ? 0.1 : 2) * (i % 2));
    expect(part(market({ benchmark: calm }), "volatility").value).toBeGreaterThan(90);
    expect(part(market({ benchmark: wild }), "volatility").value).toBeLessThan(10);
  });

  it.each<[string, Partial<IndexBars>, string]>([
    ["new_highs_lows", { stocks: market().stocks.slice(0, 19) }, "Needs 20 stocks, has 19"],
    ["volume_breadth", { stocks: [] }, "Needs 20 stocks, has 0"],
    ["safe_haven", { bonds: null }, "This market has no bars of TLT"],
    ["risk_appetite", { coins: market().coins.slice(0, 4) }, "Needs 5 coins, has 4"],
    ["momentum", { benchmark: sliceBars(market().benchmark!, 0, 200) }, "Fewer than 126 days for a rank"],
    [
      "momentum",
      { benchmark: sliceBars(market().benchmark!, 0, 100) },
      "Too few bars, or too few members on the last day",
    ],
  ])("has no %s without its data, and says why", (name, over, reason) => {
    expect(part(market(over), name)).toEqual({ part: name, value: null, reading: null, reason });
  });

  it("is null with fewer than five parts, and without the benchmark", () => {
    expect(marketIndex(market({ bonds: null })).value).not.toBeNull();
    expect(marketIndex(market({ bonds: null, coins: [] })).value).toBeNull();
    const without = marketIndex(market({ benchmark: null }));
    expect(without.value).toBeNull();
    expect(without.parts.every(({ reason }) => reason === "This market has no bars of SPY")).toBe(true);
  });

  it("does not use data after the benchmark's newest day", () => {
    const whole = market();
    const cut = (bars: Bars, count: number) => sliceBars(bars, 0, count);
    fc.assert(
      fc.property(fc.integer({ min: 380, max: COUNT - 1 }), (count) => {
        const benchmark = cut(whole.benchmark!, count);
        const asOf = (bars: readonly Bars[]) => bars.map((one) => cut(one, count));
        const known = marketIndex({
          benchmark,
          bonds: cut(whole.bonds!, count),
          stocks: asOf(whole.stocks),
          coins: asOf(whole.coins),
        });
        const seer = marketIndex({ ...whole, benchmark });
        expect(seer).toEqual(known);
      }),
      { numRuns: 10 },
    );
  });

  it.each([
    [0, "extreme fear"],
    [24.4, "extreme fear"],
    [25, "fear"],
    [44.4, "fear"],
    [45, "neutral"],
    [55.4, "neutral"],
    [56, "greed"],
    [75.4, "greed"],
    [76, "extreme greed"],
    [100, "extreme greed"],
  ])("calls %s %s", (value, band) => {
    expect(bandOf(value)).toBe(band);
  });
});
