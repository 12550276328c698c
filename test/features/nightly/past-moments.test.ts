import { describe, expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { pastSeries } from "../../../src/features/nightly/past.ts";
import { pastMoments } from "../../../src/features/nightly/past-moments.ts";
import { barCloseMs } from "../../../src/market/calendar/calendar.ts";
import { climbingBars, marketOf } from "../../support/market.ts";

const DAY = 86_400_000;
const { ports } = marketOf({ bars: { AAPL: climbingBars(), "BTC-USD": climbingBars({ zone: "UTC" }) } });
const series = (symbol: string, bars: Bars) =>
  pastSeries(ports.symbols.resolve(symbol).instrument, {
    bars,
    forming: null,
    source: "fixture",
    venue: null,
    as_of: new Date(barCloseMs(bars.time.at(-1)!, "1d", bars.zone)).toISOString(),
  } as never);
// 252 bars come before the first that is scored: 29 weekdays of the stock, 49 days of the coin
const stock = series("AAPL", climbingBars({ count: 280 }));
const coin = series("BTC-USD", climbingBars({ zone: "UTC", count: 300 }));
const from = Number.NEGATIVE_INFINITY;
const takenOf = (one: typeof stock, every: number, members = [stock, coin]) => {
  const { includes } = pastMoments(members, { from, every });
  return [...one.closes.keys()].filter((place) => includes(one, place));
};

describe("past closes", () => {
  it("are all scored closes", () => {
    expect(takenOf(stock, 1)).toHaveLength(29);
    expect(takenOf(coin, 1)).toHaveLength(49);
    const { moments } = pastMoments([stock, coin], { from, every: 1 });
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    expect(moments).toHaveLength(29 + 49);
  });

  it.each([2, 4, 7])(
    "are one bar in %i of stocks and of crypto, independent of the other members",
    (every) => {
      const each = (count: number) =>
        Array.from({ length: Math.ceil(count / every) }, (_, i) => 251 + i * every);
      expect(takenOf(stock, every)).toEqual(each(29));
      expect(takenOf(coin, every)).toEqual(each(49));
      expect(takenOf(stock, every, [stock])).toEqual(takenOf(stock, every));
    },
  );

  it("of stocks are on the same days even if one has fewer bars", () => {
    const young = series("AAPL", climbingBars({ count: 261 }));
    const days = (one: typeof stock) =>
      takenOf(one, 2, [stock, young]).map((place) => one.series.bars.time[place]!);
    expect(days(young).length).toBeGreaterThan(3);
    expect(days(stock)).toEqual(expect.arrayContaining(days(young)));
  });

  it("begin at the requested time", () => {
    const late = coin.closes.at(-1)! - 3 * DAY;
    const { moments, includes } = pastMoments([coin], { from: late, every: 2 });
    expect(moments).toEqual([late, late + 2 * DAY]);
    expect(includes(coin, 299)).toBe(false);
    expect(pastMoments([coin], { from: late + 4 * DAY, every: 1 }).moments).toEqual([]);
  });
});
