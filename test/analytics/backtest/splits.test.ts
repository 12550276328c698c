import { describe, expect, it } from "vitest";
import { suspectedSplits } from "../../../src/analytics/backtest/splits.ts";
import { type Bars, mapColumns, sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyBars, readDailyFolder } from "../../support/daily-bars.ts";
import { climbingBars } from "../../support/market.ts";
import { splitWindows } from "../../support/split-windows.ts";
import { describeWithData } from "../../support/test-data.ts";

/** The bars before a split of `factor` for one at `index`, unadjusted. */
const unadjusted = (bars: Bars, index: number, factor: number): Bars =>
  mapColumns(bars, (column, name) => {
    if (name === "time") return column;
    const scale = name === "volume" ? 1 / factor : factor;
    return column.map((value, i) => (i < index ? value * scale : value));
  });
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
    [5 / 3, "5:3"],
    [3.5, "7:2"],
    [9, "9:1"],
    [12, "12:1"],
    [60, "60:1"],
    [1 / 75, "1:75"],
    [1 / 100, "1:100"],
    [1 / 200, "1:200"],
  ])("are found where one share became %s", (factor, ratio) => {
    expect(found(unadjusted(bars, 40, factor))).toEqual([`40 ${ratio}`]);
  });

  it.each([
    // Traded value 105 x 1000 a day; the median of bars 20 to 39, upper of the two middle ones, is 103,750.
    [3952, ["40 2:1"]],
    [3953, []],
  ])("are halvings up to four times the median of money: %s units traded", (volume, expected) => {
    const crash = unadjusted(bars, 40, 2);
    crash.volume[40] = volume;
    expect(found(crash)).toEqual(expected);
  });

  it.each([
    ["2:1 with a fall of 8 %", 2, 0.92, "2:1"],
    ["4:1 with a rise of 7.5 %", 4, 1.075, "7:2"],
  ])("are found with an overnight move: %s", (_, factor, move, ratio) => {
    const moved = mapColumns(bars, (column, name) =>
      name === "time" || name === "volume"
        ? column
        : column.map((value, i) => (i < 40 ? value : value * move)),
    );
    expect(found(unadjusted(moved, 40, factor))).toEqual([`40 ${ratio}`]);
  });

  it.each([
    [8, 6000, ["40 8:1"]],
    [8, 600_000, []],
    [10, 600_000, ["40 10:1"]],
  ])(
    "are found up to ten times the usual turnover, from 10:1 at any: %s, %s units",
    (factor, volume, expected) => {
      const crash = unadjusted(bars, 40, factor);
      crash.volume[40] = volume;
      expect(found(crash)).toEqual(expected);
    },
  );

  it("compare the first bar of a session with the first bars of earlier sessions", () => {
    const hour = 3_600_000;
    const sessions = climbingBars({ count: 14 * 7 });
    const time = sessions.time.map((_, i) => Math.floor(i / 7) * 24 * hour + (i % 7) * hour);
    const volume = sessions.volume.map((value, i) => (i % 7 === 0 ? 6 * value : value));
    const intraday: Bars = { ...sessions, time, volume, timeframe: "1h" };
    expect(found(unadjusted(intraday, 12 * 7, 2))).toEqual(["84 2:1"]);
  });

  it("do not include a fall of a third in a volatile stock", () => {
    const wild = { ...bars, close: bars.close.map((value, i) => (i % 2 === 0 ? value : 1.1 * value)) };
    expect(found(unadjusted(wild, 40, 1.5))).toEqual([]);
  });

  it("use the price alone if volume is unknown, from 2:1 upwards", () => {
    const withoutVolume = { ...bars, volume: new Float64Array(60) };
    expect(found(unadjusted(withoutVolume, 40, 3))).toEqual(["40 3:1"]);
    expect(found(unadjusted(withoutVolume, 40, 1.5))).toEqual([]);
  });

  it("returns none for no bars", () => {
    expect(suspectedSplits(climbingBars({ count: 0 }))).toEqual([]);
  });
});

describeWithData("suspected splits of adjusted files", ["ohlcv", "us_daily"], (dir) => {
  const shares = readDailyFolder(dir);

  it("returns none for crashes and jumps over five years", () => {
    expect(shares.size).toBe(57);
    const alarms = [...shares].flatMap(([symbol, bars]) =>
      suspectedSplits(bars).map(({ time, ratio }) => `${symbol} ${day(time)} ${ratio}`),
    );
    expect(alarms).toEqual([]);
  });

  it.each([
    [1.5, 56],
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
  it("finds both splits of Apple, and none of SPY", () => {
    const splits = (symbol: string) =>
      suspectedSplits(readDailyBars(`${dir}/${symbol}.csv`)).map(({ time, ratio }) => [day(time), ratio]);
    expect(splits("AAPL")).toEqual([
      ["2014-06-09", "7:1"],
      ["2020-08-31", "4:1"],
    ]);
    expect(splits("SPY")).toEqual([]);
  });
});

describeWithData("suspected splits of recorded windows", ["numbers", "splits.json"], (file) => {
  const { noSplit, split } = splitWindows(file);

  it.each(noSplit)("do not include the real move of $symbol on $date", ({ bars }) => {
    expect(found(bars)).toEqual([]);
    // and none on the evening of that day
    expect(found(sliceBars(bars, 0, 31))).toEqual([]);
  });

  it.each(split)("include the $ratio split of $symbol on $date", ({ bars, ratio }) => {
    expect(found(bars)).toEqual([`30 ${ratio}`]);
    expect(found(sliceBars(bars, 0, 31))).toEqual([`30 ${ratio}`]);
  });
});

describe("changes that are known to be no split", () => {
  const bars = unadjusted(climbingBars({ count: 60 }), 40, 2);
  const date = bars.time[40]!;
  const dayMs = 86_400_000;

  it("are left out on their day only", () => {
    expect(found({ ...bars, noSplits: [{ date, basis: "declared" }] })).toEqual([]);
    expect(found({ ...bars, noSplits: [{ date: date - dayMs, basis: "declared" }] })).toEqual(["40 2:1"]);
  });

  it("are left out of weekly bars that contain the day, and of intraday bars on it", () => {
    const weekly: Bars = {
      ...bars,
      timeframe: "1w",
      time: bars.time.map((_, i) => date + (i - 40) * 7 * dayMs),
    };
    expect(found({ ...weekly, noSplits: [{ date: date + 6 * dayMs, basis: "declared" }] })).toEqual([]);
    expect(found({ ...weekly, noSplits: [{ date: date + 7 * dayMs, basis: "declared" }] })).toEqual([
      "40 2:1",
    ]);
    // 14:30 UTC is 09:30 in New York in winter
    const hourly: Bars = { ...bars, timeframe: "1h", time: bars.time.map((time) => time + 14.5 * 3_600_000) };
    expect(found({ ...hourly, noSplits: [{ date, basis: "declared" }] })).toEqual([]);
  });
});
