import { describe, expect, it } from "vitest";
import { suspectedSplits } from "../../../src/analytics/backtest/splits.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { readDailyBars, readDailyFolder } from "../../support/daily-bars.ts";
import { climbingBars } from "../../support/market.ts";
import { describeWithData } from "../../support/test-data.ts";

/** The bars as they were before a split of `factor` for one at `index`, by someone who adjusts for nothing. */
const unadjusted = (bars: Bars, index: number, factor: number): Bars => {
  const before = (column: Float64Array, by: number) =>
    column.map((value, i) => (i < index ? value * by : value));
  return {
    ...bars,
    open: before(bars.open, factor),
    high: before(bars.high, factor),
    low: before(bars.low, factor),
    close: before(bars.close, factor),
    volume: before(bars.volume, 1 / factor),
  };
};
const found = (bars: Bars) => suspectedSplits(bars).map(({ index, ratio }) => `${index} ${ratio}`);
const day = (time: number) => new Date(time).toISOString().slice(0, 10);

describe("suspected splits", () => {
  const bars = climbingBars({ count: 60 });

  it.each([
    [1.25, "5:4"],
    [4 / 3, "4:3"],
    [1.5, "3:2"],
    [2, "2:1"],
    [2.5, "5:2"],
    [3, "3:1"],
    [7, "7:1"],
    [10, "10:1"],
    [20, "20:1"],
    [50, "50:1"],
    [0.5, "1:2"],
    [0.1, "1:10"],
    [0.04, "1:25"],
  ])("are found where one share became %s", (factor, ratio) => {
    expect(found(unadjusted(bars, 40, factor))).toEqual([`40 ${ratio}`]);
  });

  it("say what was seen", () => {
    // closes 100 + i/8, open of bar 40 at 104.875 = the close before: exactly half of it; volume 1000 a day
    const [split] = suspectedSplits(unadjusted(bars, 40, 2));
    expect(split).toMatchObject({ time: bars.time[40], index: 40, ratio: "2:1", factor: 2, change: 0.5 });
    // 105 against the median of the closes of bars 20 to 39, the upper of its two middle ones: 103.75
    expect(split!.turnover).toBeCloseTo(105 / 103.75, 12);
  });

  it("are not a halving that half the world sold on", () => {
    const crash = unadjusted(bars, 40, 2);
    crash.volume[40] = 5000;
    expect(found(crash)).toEqual([]);
  });

  it("are not a third that a wild share loses on any night", () => {
    const wild = { ...bars, close: bars.close.map((value, i) => (i % 2 === 0 ? value : 1.1 * value)) };
    expect(found(unadjusted(wild, 40, 1.5))).toEqual([]);
  });

  it("go by the price alone where volume is not known, from two for one on", () => {
    const withoutVolume = { ...bars, volume: new Float64Array(60) };
    expect(found(unadjusted(withoutVolume, 40, 3))).toEqual(["40 3:1"]);
    expect(suspectedSplits(unadjusted(withoutVolume, 40, 3))[0]!.turnover).toBeNull();
    expect(found(unadjusted(withoutVolume, 40, 1.5))).toEqual([]);
  });

  it("are none in no bars", () => {
    expect(suspectedSplits(climbingBars({ count: 0 }))).toEqual([]);
  });
});

describeWithData("suspected splits of adjusted files", ["ohlcv", "us_daily"], (dir) => {
  const shares = readDailyFolder(dir);

  it("are none, over crashes and jumps of five years", () => {
    expect(shares.size).toBe(57);
    const alarms = [...shares].flatMap(([symbol, bars]) =>
      suspectedSplits(bars).map(({ time, ratio }) => `${symbol} ${day(time)} ${ratio}`),
    );
    expect(alarms).toEqual([]);
  });

  it.each([
    [1.5, 55],
    [2, 57],
    [4, 57],
    [10, 57],
    [0.1, 57],
  ])("are found where a split of %s for one is left out, in %s of 57 files", (factor, files) => {
    const caught = [...shares.values()].filter((bars) => {
      const index = bars.time.length >> 1;
      return suspectedSplits(unadjusted(bars, index, factor)).some((split) => split.index === index);
    });
    expect(caught).toHaveLength(files);
  });
});

describeWithData("suspected splits of raw files", ["ohlcv", "us_daily_raw_factors"], (dir) => {
  it("are the two of Apple, and none of SPY", () => {
    const splits = (symbol: string) =>
      suspectedSplits(readDailyBars(`${dir}/${symbol}.csv`)).map(({ time, ratio }) => [day(time), ratio]);
    expect(splits("AAPL")).toEqual([
      ["2014-06-09", "7:1"],
      ["2020-08-31", "4:1"],
    ]);
    expect(splits("SPY")).toEqual([]);
  });
});
