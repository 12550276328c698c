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
  it("dates New York's intraday bars by its own midnight", () => {
    expect(dated("1h", "America/New_York", "2026-07-02T03:00:00Z", "2026-07-02T04:00:00Z")).toEqual([
      "2026-07-01T00:00:00.000Z",
      "2026-07-02T00:00:00.000Z",
    ]);
  });

  it("takes the date on a daily bar as it stands, and UTC's date elsewhere", () => {
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
  it("begins anew at New York's midnight", () => {
    expect([...vwap(bars)]).toEqual([10, 17.5, 30]);
  });

  it("begins anew at UTC's midnight for a market that never closes", () => {
    expect([...vwap({ ...bars, zone: "UTC" })]).toEqual([10, 17.5, 130 / 6]);
  });

  it("follows the sessions it is given", () => {
    expect([...vwap(bars, [1, 2, 2])]).toEqual([10, 20, 24]);
  });

  it("knows no price while a session has not traded", () => {
    const volume = Float64Array.of(0, 4, 0);
    expect([...vwap({ ...bars, volume }, [1, 1, 2])]).toEqual([Number.NaN, 20, Number.NaN]);
  });

  it("weighs the typical price", () => {
    expect([...vwap({ ...bars, high: Float64Array.of(16, 20, 30) }, [1, 2, 3])]).toEqual([12, 20, 30]);
  });
});
