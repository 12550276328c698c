import { describe, expect, it } from "vitest";
import {
  BAR_TIMEFRAMES,
  barLabel,
  sliceBars,
  TIMEFRAME_MS,
  weekStart,
} from "../../../src/domain/market/bars.ts";
import { climbingBars } from "../../support/market.ts";

describe("bars", () => {
  const bars = climbingBars({ count: 10 });

  it("are sliced in every column, without copying", () => {
    const cut = sliceBars(bars, 2, 5);
    expect([...cut.close]).toEqual([100.25, 100.375, 100.5]);
    expect([...cut.time]).toEqual([...bars.time].slice(2, 5));
    expect([...cut.volume]).toEqual([1000, 1000, 1000]);
    expect(cut).toMatchObject({ timeframe: "1d", adjustment: "split", zone: "America/New_York" });
    expect(cut.high.buffer).toBe(bars.high.buffer);
  });

  it("are sliced to the end by default, and are empty from the end on", () => {
    expect(sliceBars(bars, 8).close).toHaveLength(2);
    expect(sliceBars(bars, 10).close).toHaveLength(0);
  });

  it("have a duration per timeframe, longest first", () => {
    const lengths = BAR_TIMEFRAMES.map((timeframe) => TIMEFRAME_MS[timeframe]);
    expect(lengths).toEqual(
      [7 * 24 * 60, 24 * 60, 4 * 60, 60, 30, 15, 5, 1].map((minutes) => minutes * 60_000),
    );
  });

  it("of a week start on Monday at 00:00 UTC and are labelled by that date", () => {
    // by hand: 2026-01-14 is a Wednesday
    const monday = Date.UTC(2026, 0, 12);
    expect([monday, monday + 1, Date.UTC(2026, 0, 14), monday + 7 * 86_400_000 - 1].map(weekStart)).toEqual(
      Array(4).fill(monday),
    );
    expect(weekStart(monday - 1)).toBe(Date.UTC(2026, 0, 5));
    expect(weekStart(Date.UTC(1969, 11, 31))).toBe(Date.UTC(1969, 11, 29));
    expect(barLabel(monday, "1w")).toBe("2026-01-12");
  });
});
