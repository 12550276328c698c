import { describe, expect, it } from "vitest";
import { sessionDays, vwap } from "../../../src/analytics/indicators/vwap.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const dated = (timeframe: Bars["timeframe"], zone: Bars["zone"], ...times: readonly string[]) => {
  const bars = {
    ...barsAround(times.map(() => 1)),
    timeframe,
    zone,
    time: Float64Array.from(times, Date.parse),
  };
  return [...sessionDays(bars)].map((day) => new Date(day).toISOString());
};

describe("sessionDays", () => {
  it("assigns New York intraday bars to the local date", () => {
    expect(dated("1h", "America/New_York", "2026-07-02T03:00:00Z", "2026-07-02T04:00:00Z")).toEqual([
      "2026-07-01T00:00:00.000Z",
      "2026-07-02T00:00:00.000Z",
    ]);
  });

  it("uses the date of a daily bar unchanged, and the UTC date elsewhere", () => {
    expect(dated("1d", "America/New_York", "2026-07-02")).toEqual(["2026-07-02T00:00:00.000Z"]);
    expect(dated("1h", "UTC", "2026-07-02T03:00:00Z")).toEqual(["2026-07-02T00:00:00.000Z"]);
  });
});

const hours = ["2026-07-02T02:00:00Z", "2026-07-02T03:00:00Z", "2026-07-02T04:00:00Z"];
const bars: Bars = {
  ...barsAround([10, 20, 30], { volume: [1, 3, 2] }),
  time: Float64Array.from(hours, Date.parse),
  timeframe: "1h",
  zone: "America/New_York",
};

describe("vwap", () => {
  it("resets at midnight in New York", () => {
    expect([...vwap(bars)]).toEqual([10, 17.5, 30]);
  });

  it("resets at midnight UTC for a 24-hour market", () => {
    expect([...vwap({ ...bars, zone: "UTC" })]).toEqual([10, 17.5, 130 / 6]);
  });

  it("uses the given sessions", () => {
    expect([...vwap(bars, [1, 2, 2])]).toEqual([10, 20, 24]);
  });

  it("is NaN until the session has traded", () => {
    const volume = Float64Array.of(0, 4, 0);
    expect([...vwap({ ...bars, volume }, [1, 1, 2])]).toEqual([Number.NaN, 20, Number.NaN]);
  });

  it("weights the typical price by volume", () => {
    expect([...vwap({ ...bars, high: Float64Array.of(16, 20, 30) }, [1, 2, 3])]).toEqual([12, 20, 30]);
  });
});
