import { describe, expect, it } from "vitest";
import { firstBarFrom, lastClose } from "../../../src/analytics/conviction/known.ts";
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
  it("is 16:00 in New York for its daily bars, in winter and summer, and midnight for UTC's", () => {
    expect(closeOf("America/New_York", "1d", "2026-01-14")).toBe("2026-01-14T21:00:00.000Z");
    expect(closeOf("America/New_York", "1d", "2026-07-14")).toBe("2026-07-14T20:00:00.000Z");
    expect(closeOf("UTC", "1d", "2026-01-14")).toBe("2026-01-15T00:00:00.000Z");
  });

  it("is the bar's length later within a day, cut at 16:00 New York unless the bar began after it", () => {
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

  it("lets New York's day begin at 9:30 there", () => {
    expect(first(winter, "2026-01-14T14:30:00Z")).toBe(1);
    expect(first(winter, "2026-01-14T14:30:01Z")).toBe(2);
    expect(first(summer, "2026-07-14T13:30:00Z")).toBe(1);
    expect(first(summer, "2026-07-14T13:30:01Z")).toBe(2);
  });

  it("counts the evening, before and after midnight UTC, to the next session", () => {
    expect(first(winter, "2026-01-13T23:00Z")).toBe(1);
    expect(first(winter, "2026-01-14T00:59Z")).toBe(1);
    expect(first(winter, "2026-01-14T23:00Z")).toBe(2);
    expect(first(winter, "2026-01-16T21:00Z")).toBe(3);
  });

  it("takes other bars by their start", () => {
    const hours = barsAt("America/New_York", "1h", "2026-01-14T14:30Z", "2026-01-14T15:30Z");
    expect(first(hours, "2026-01-14T14:30Z")).toBe(0);
    expect(first(hours, "2026-01-14T14:31Z")).toBe(1);
    expect(first(hours, "2026-01-14T15:31Z")).toBe(2);
    expect(first(barsAt("UTC", "1d", "2026-01-14", "2026-01-15"), "2026-01-14T14:30Z")).toBe(1);
  });
});
