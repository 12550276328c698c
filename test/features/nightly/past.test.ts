import { describe, expect, it } from "vitest";
import { closedBy, pastBars, pastSeries } from "../../../src/features/nightly/past.ts";
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
    await expect(at.history(instrument("MSFT"), { timeframe: "1d", limit: 1 })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
    });
    await expect(at.history(instrument("AAPL"), { timeframe: "1h", limit: 1 })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
    });
  });
});

it("counts the closes up to a time", () => {
  const moments = Float64Array.of(10, 20, 20, 30);
  expect([9, 10, 20, 29, 30, 99].map((now) => closedBy(moments, now))).toEqual([0, 1, 3, 3, 4, 4]);
  expect(closedBy(new Float64Array(0), 5)).toBe(0);
});
