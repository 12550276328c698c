import { describe, expect, it } from "vitest";
import { averageDayNotional } from "../../../src/analytics/conviction/known.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

/** Bars at 10 of the given volumes and starts. */
const intraday = (zone: Bars["zone"], volume: number[], starts: string[]): Bars => ({
  ...barsAround(
    volume.map(() => 10),
    { volume },
  ),
  timeframe: "4h",
  zone,
  time: Float64Array.from(starts, (start) => Date.parse(start)),
});

describe("averageDayNotional", () => {
  it("means close x volume over the last 20 daily bars, the bar's own included", () => {
    const volume = Array.from({ length: 25 }, (_, i) => i);
    const average = averageDayNotional(barsAround(new Array(25).fill(2), { volume }));
    expect(average(24)).toBe(2 * 14.5); // 5..24
    expect(average(3)).toBe(2 * 1.5); // 0..3
  });

  it("sums intraday bars to days, leaving out the first, which may be cut, and the bar's own", () => {
    const starts = ["2026-01-14T18:30Z", "2026-01-15T14:30Z", "2026-01-15T18:30Z", "2026-01-16T14:30Z"];
    const average = averageDayNotional(
      intraday("America/New_York", [9, 1, 2, 7, 4], [...starts, "2026-01-17T14:30Z"]),
    );
    expect([0, 1, 2].map(average)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(average(3)).toBe(30);
    expect(average(4)).toBe((30 + 70) / 2);
  });

  it("keeps an evening in New York with its day, though UTC has the next", () => {
    const starts = ["2026-01-13T15:00Z", "2026-01-14T15:00Z", "2026-01-15T00:30Z", "2026-01-15T15:00Z"];
    expect(averageDayNotional(intraday("America/New_York", [1, 2, 3, 4], starts))(3)).toBe(50);
    expect(averageDayNotional(intraday("UTC", [1, 2, 3, 4], starts))(3)).toBe(20);
  });

  it("is NaN where nothing traded and before the first bar", () => {
    const average = averageDayNotional(barsAround([1, 1], { volume: [0, 0] }));
    expect([average(-1), average(1)]).toEqual([Number.NaN, Number.NaN]);
  });
});
