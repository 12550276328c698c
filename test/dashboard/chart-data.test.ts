import { describe, expect, it } from "vitest";
import { type ChartBar, indexAt, placeOf, rebased } from "../../src/dashboard/charts/chart-data.ts";
import { paneNames } from "../../src/dashboard/charts/indicator-names.ts";

const bar = (datetime: string, close: number): ChartBar => ({
  datetime,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
});
const BARS = [bar("2026-10-01", 100), bar("2026-10-02", 110), bar("2026-10-05", 121), bar("2026-10-06", 120)];

describe("the data of a chart", () => {
  it.each([
    ["2026-09-30", -1],
    ["2026-10-01", 0],
    ["2026-10-03T12:00:00Z", 1],
    ["2026-10-05", 2],
    ["2026-12-01", 3],
  ])("finds the bar of %s", (moment, index) => {
    expect(indexAt(BARS, moment)).toBe(index);
  });

  it("places a moment after the last bar at the usual distance of bars", () => {
    expect(placeOf(BARS, "2026-10-04")).toBe(1);
    expect(placeOf(BARS, "2026-10-11")).toBe(6);
  });

  it("scales another symbol to the same start, and leaves out bars that it does not have", () => {
    const other = [bar("2026-10-02", 55), bar("2026-10-05", 50)];
    expect(rebased(BARS, other)).toEqual([null, 110, 100, null]);
    expect(rebased(BARS, [])).toEqual([null, null, null, null]);
  });

  it("draws averages over the candles and the lines of one indicator in one pane", () => {
    expect(
      paneNames([
        "rsi(14)",
        "macd(12,26,9)",
        "macd_signal(12,26,9)",
        "macd_hist(12,26,9)",
        "sma(50)",
        "bb_upper(20,2)",
        "rsi(5)",
        "vwap",
      ]),
    ).toEqual([
      ["sma(50)", "bb_upper(20,2)", "vwap"],
      ["rsi(14)"],
      ["macd(12,26,9)", "macd_signal(12,26,9)", "macd_hist(12,26,9)"],
      ["rsi(5)"],
    ]);
  });
});
