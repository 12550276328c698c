import { describe, expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { closedBy, pastBars, pastMoments, pastSeries } from "../../../src/features/nightly/past.ts";
import { barCloseMs } from "../../../src/market/calendar/calendar.ts";
import { climbingBars, directoryOf, fixedBars, YESTERDAY } from "../../support/market.ts";

const DAY = 86_400_000;
const symbols = directoryOf(["AAPL", "BTC-USD", "MSFT"]);
const instrument = (name: string) => symbols.find(name)!.instrument;
const signal = new AbortController().signal;
const { bars } = fixedBars({
  bars: {
    AAPL: climbingBars({ count: 10 }),
    "BTC-USD": climbingBars({ count: 10, zone: "UTC" }),
    MSFT: climbingBars({ count: 0 }),
  },
});
const seriesOf = async (name: string) =>
  bars.history(instrument(name), { timeframe: "1d", limit: 99, signal });
const past = async (...names: readonly string[]) => {
  const held = await Promise.all(
    names.map(async (name) => [name, pastSeries(instrument(name), await seriesOf(name))] as const),
  );
  return { held: new Map(held), bars: pastBars(new Map(held)) };
};
const CLOSE = Date.parse("2026-01-14T21:00:00.000Z");

describe("a past series", () => {
  it("has the close time of each bar, by the calendar or the bar length", async () => {
    const stock = pastSeries(instrument("AAPL"), await seriesOf("AAPL"));
    expect([stock.closes.at(-1), stock.closes.length]).toEqual([CLOSE, 10]);
    const coin = pastSeries(instrument("BTC-USD"), await seriesOf("BTC-USD"));
    expect(coin.closes.at(-1)).toBe(YESTERDAY + DAY);
    // a stock of a market that never closes
    const around = { ...(await seriesOf("AAPL")), as_of: new Date(YESTERDAY + DAY).toISOString() };
    expect(pastSeries(instrument("AAPL"), around).closes.at(-1)).toBe(YESTERDAY + DAY);
  });

  it("is rejected when the close times are unknown, and may be empty", async () => {
    const odd = { ...(await seriesOf("AAPL")), as_of: "2026-01-14T19:30:00.000Z" };
    expect(() => pastSeries(instrument("AAPL"), odd)).toThrow(
      "The close times of the bars of AAPL are unknown",
    );
    expect(pastSeries(instrument("MSFT"), await seriesOf("MSFT")).closes).toHaveLength(0);
  });
});

describe("bars as of a moment", () => {
  it("end with the last bar closed at that moment", async () => {
    const { bars: at, held } = await past("AAPL");
    const newest = async () => (await at.history(instrument("AAPL"), { timeframe: "1d", limit: 3 })).as_of;
    at.setMoment(CLOSE);
    expect(await newest()).toBe("2026-01-14T21:00:00.000Z");
    expect(at.placeOf(held.get("AAPL")!)).toBe(9);
    at.setMoment(CLOSE - 1);
    expect(await newest()).toBe("2026-01-13T21:00:00.000Z");
    expect(at.placeOf(held.get("AAPL")!)).toBe(8);
    at.setMoment(0);
    expect(await newest()).toBeNull();
    expect(at.placeOf(held.get("AAPL")!)).toBe(-1);
  });

  it("return nothing after the moment, and less for an earlier time", async () => {
    const { bars: at } = await past("AAPL");
    at.setMoment(CLOSE - 1);
    const ask = async (asOf: number) =>
      (await at.history(instrument("AAPL"), { timeframe: "1d", limit: 3, asOf })).as_of;
    expect(await ask(CLOSE + DAY)).toBe("2026-01-13T21:00:00.000Z");
    expect(await ask(CLOSE - 2 * DAY)).toBe("2026-01-12T21:00:00.000Z");
  });

  it("are the newest ones, the same object each time", async () => {
    const { bars: at } = await past("AAPL");
    at.setMoment(CLOSE);
    const one = at.peek(instrument("AAPL"), 4)!;
    expect([...one.bars.close]).toEqual([100.75, 100.875, 101, 101.125]);
    expect(at.peek(instrument("AAPL"), 4)).toBe(one);
    expect(at.peek(instrument("MSFT"), 4)).toBeNull();
  });

  it("are missing for other symbols and timeframes", async () => {
    const { bars: at } = await past("AAPL");
    at.setMoment(CLOSE);
    for (const [name, timeframe] of [
      ["MSFT", "1d"],
      ["AAPL", "1h"],
    ] as const)
      await expect(at.history(instrument(name), { timeframe, limit: 1 })).rejects.toMatchObject({
        code: "NOT_ENOUGH_DATA",
      });
  });
});

it("counts the closes up to a time", () => {
  const moments = Float64Array.of(10, 20, 20, 30);
  expect([9, 10, 20, 29, 30, 99].map((now) => closedBy(moments, now))).toEqual([0, 1, 3, 3, 4, 4]);
  expect(closedBy(new Float64Array(0), 5)).toBe(0);
});

const closedSeries = (symbol: string, all: Bars) =>
  pastSeries(instrument(symbol), {
    bars: all,
    as_of: new Date(barCloseMs(all.time.at(-1)!, "1d", all.zone)).toISOString(),
  } as never);
// 252 bars come before the first that is scored: 29 weekdays of the stock, 49 days of the coin
const stock = closedSeries("AAPL", climbingBars({ count: 280 }));
const coin = closedSeries("BTC-USD", climbingBars({ zone: "UTC", count: 300 }));
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
    const young = closedSeries("AAPL", climbingBars({ count: 261 }));
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
