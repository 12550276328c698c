import { describe, expect, it } from "vitest";
import { sessionDays } from "../../../src/analytics/indicators/vwap.ts";
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
