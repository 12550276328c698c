import { describe, expect, it } from "vitest";
import {
  averageDayNotional,
  firstBarFrom,
  lastClose,
} from "../../../src/analytics/conviction/session-close.ts";
import type { Bars, SessionZone, Timeframe } from "../../../src/domain/market/bars.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const barsAt = (zone: SessionZone, timeframe: Timeframe, ...starts: string[]): Bars => ({
  ...barsAround(starts.map(() => 1)),
  zone,
  timeframe,
  time: Float64Array.from(starts, (start) => Date.parse(start)),
});
const closeOf = (zone: SessionZone, timeframe: Timeframe, start: string) =>
  new Date(lastClose(barsAt(zone, timeframe, start))).toISOString();

describe("lastClose", () => {
  it("is 16:00 New York for its daily bars, in winter and summer, and midnight for UTC bars", () => {
    expect(closeOf("America/New_York", "1d", "2026-01-14")).toBe("2026-01-14T21:00:00.000Z");
    expect(closeOf("America/New_York", "1d", "2026-07-14")).toBe("2026-07-14T20:00:00.000Z");
    expect(closeOf("UTC", "1d", "2026-01-14")).toBe("2026-01-15T00:00:00.000Z");
  });

  it("is the start plus the bar's length within a day, capped at 16:00 New York unless it opened later", () => {
    expect(closeOf("America/New_York", "1h", "2026-01-14T14:30Z")).toBe("2026-01-14T15:30:00.000Z");
    expect(closeOf("America/New_York", "1h", "2026-01-14T20:30Z")).toBe("2026-01-14T21:00:00.000Z");
    expect(closeOf("America/New_York", "1h", "2026-01-14T21:00Z")).toBe("2026-01-14T22:00:00.000Z");
    expect(closeOf("UTC", "4h", "2026-01-14T20:00Z")).toBe("2026-01-15T00:00:00.000Z");
  });

  it("is NaN without bars", () => {
    expect(lastClose(barsAt("America/New_York", "1d"))).toBeNaN();
  });
});

describe("firstBarFrom", () => {
  const winter = barsAt("America/New_York", "1d", "2026-01-13", "2026-01-14", "2026-01-16");
  const summer = barsAt("America/New_York", "1d", "2026-07-13", "2026-07-14", "2026-07-15");
  const first = (bars: Bars, instant: string) => firstBarFrom(bars, Date.parse(instant));

  it("starts the day of New York bars at 9:30 local time", () => {
    expect(first(winter, "2026-01-14T14:30:00Z")).toBe(1);
    expect(first(winter, "2026-01-14T14:30:01Z")).toBe(2);
    expect(first(summer, "2026-07-14T13:30:00Z")).toBe(1);
    expect(first(summer, "2026-07-14T13:30:01Z")).toBe(2);
  });

  it("assigns evening prints, before and after midnight UTC, to the next session", () => {
    expect(first(winter, "2026-01-13T23:00Z")).toBe(1);
    expect(first(winter, "2026-01-14T00:59Z")).toBe(1);
    expect(first(winter, "2026-01-14T23:00Z")).toBe(2);
    expect(first(winter, "2026-01-16T21:00Z")).toBe(3);
  });

  it("matches other bars by their start", () => {
    const hours = barsAt("America/New_York", "1h", "2026-01-14T14:30Z", "2026-01-14T15:30Z");
    expect(first(hours, "2026-01-14T14:30Z")).toBe(0);
    expect(first(hours, "2026-01-14T14:31Z")).toBe(1);
    expect(first(hours, "2026-01-14T15:31Z")).toBe(2);
    expect(first(barsAt("UTC", "1d", "2026-01-14", "2026-01-15"), "2026-01-14T14:30Z")).toBe(1);
  });
});

/** Bars at 10 with the given volumes and start times. */
const intraday = (zone: Bars["zone"], volume: number[], starts: string[]): Bars => ({
  ...barsAround(
    volume.map(() => 10),
    { volume },
  ),
  timeframe: "4h",
  zone,
  time: Float64Array.from(starts, (start) => Date.parse(start)),
});

describe("averages close x volume over the last 20 daily bars, including the given one", () => {
  it("averages close x volume over the last 20 daily bars, including the given one", () => {
    const volume = Array.from({ length: 25 }, (_, i) => i);
    const average = averageDayNotional(barsAround(new Array(25).fill(2), { volume }));
    expect(average(24)).toBe(2 * 14.5); // 5..24
    expect(average(3)).toBe(2 * 1.5); // 0..3
  });

  it("sums intraday bars by day, excluding the first, possibly partial day and the current one", () => {
    const starts = ["2026-01-14T18:30Z", "2026-01-15T14:30Z", "2026-01-15T18:30Z", "2026-01-16T14:30Z"];
    const average = averageDayNotional(
      intraday("America/New_York", [9, 1, 2, 7, 4], [...starts, "2026-01-17T14:30Z"]),
    );
    expect([0, 1, 2].map(average)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(average(3)).toBe(30);
    expect(average(4)).toBe((30 + 70) / 2);
  });

  it("assigns evening bars in New York to the local day", () => {
    const starts = ["2026-01-13T15:00Z", "2026-01-14T15:00Z", "2026-01-15T00:30Z", "2026-01-15T15:00Z"];
    expect(averageDayNotional(intraday("America/New_York", [1, 2, 3, 4], starts))(3)).toBe(50);
    expect(averageDayNotional(intraday("UTC", [1, 2, 3, 4], starts))(3)).toBe(20);
  });

  it("is NaN if nothing traded and before the first bar", () => {
    const average = averageDayNotional(barsAround([1, 1], { volume: [0, 0] }));
    expect([average(-1), average(1)]).toEqual([Number.NaN, Number.NaN]);
  });
});
