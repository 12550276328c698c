import { describe, expect, it } from "vitest";
import type { Bars, SessionZone, Timeframe } from "../../../src/domain/market/bars.ts";
import { countClosedBars, detectTradingHours } from "../../../src/providers/files/bar-close.ts";

const barsAt = (timeframe: Timeframe, zone: SessionZone, ...starts: string[]): Bars => {
  const time = Float64Array.from(starts, (start) => Date.parse(start));
  return {
    time,
    open: time,
    high: time,
    low: time,
    close: time,
    volume: time,
    timeframe,
    adjustment: "unknown",
    zone,
  };
};
const NY = "America/New_York";

describe("detectTradingHours", () => {
  it.each([
    ["hours from the bell", "regular", barsAt("1h", NY, "2024-01-02T14:30Z", "2024-01-02T20:30Z")],
    [
      "hours on the clock, the first half before the bell",
      "regular",
      barsAt("1h", NY, "2024-01-02T14:00Z", "2024-01-02T20:00Z"),
    ],
    ["an hour before the bell", "extended", barsAt("1h", NY, "2024-01-02T13:00Z", "2024-01-02T14:00Z")],
    ["an hour after it", "extended", barsAt("1h", NY, "2024-01-02T20:00Z", "2024-01-02T21:00Z")],
    ["an hour after an early close", "extended", barsAt("1h", NY, "2024-07-03T17:00Z")],
    ["a holiday, which says nothing", "regular", barsAt("1h", NY, "2024-07-04T22:00Z")],
    ["days", "regular", barsAt("1d", NY, "2024-01-02")],
    ["a market that never closes", "regular", barsAt("1h", "UTC", "2024-01-02T03:00Z")],
  ] as const)("takes %s for %s", (_, hours, bars) => {
    expect(detectTradingHours(bars)).toBe(hours);
  });
});

describe("countClosedBars", () => {
  it("counts the bars that had closed at an instant", () => {
    const bars = barsAt("1h", NY, "2024-01-02T14:30Z", "2024-01-02T19:30Z", "2024-01-02T20:30Z");
    const count = (at: string) => countClosedBars(bars, Date.parse(at), "regular");
    expect(
      ["2024-01-02T15:29Z", "2024-01-02T15:30Z", "2024-01-02T20:59Z", "2024-01-02T21:00Z"].map(count),
    ).toEqual([0, 1, 2, 3]);
  });

  it("does not count a bar of extended hours before the evening it holds", () => {
    const bars = barsAt("4h", NY, "2024-01-02T12:00Z", "2024-01-02T16:00Z", "2024-01-02T20:00Z"); // 07:00, 11:00, 15:00
    expect(countClosedBars(bars, Date.parse("2024-01-02T21:00Z"), "extended")).toBe(2);
    expect(countClosedBars(bars, Date.parse("2024-01-03T00:00Z"), "extended")).toBe(3);
  });
});
