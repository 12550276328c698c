import { describe, expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import type { BarSeries } from "../../../src/domain/market/market.ts";
import { barHours, comingBars, lastOpening } from "../../../src/features/signal/bar-hours.ts";
import { climbingBars } from "../../support/market.ts";

/** A series of these bars of which the last closed at a time. */
const seriesOf = (bars: Bars, as_of: string | null): BarSeries => ({
  bars,
  as_of,
  forming: null,
  source: "files",
  venue: "test",
  adjustment: "split",
});
const iso = (ms: number) => new Date(ms).toISOString();

describe("the hours of bars", () => {
  it("are those of sessions where the series closes with them", () => {
    const bars = climbingBars({ end: Date.parse("2026-06-17T00:00:00Z") });
    const series = seriesOf(bars, "2026-06-17T20:00:00.000Z");
    const hours = barHours(series)!;
    const half = Date.parse("2026-11-27T00:00:00Z"); // closes at 13:00 in New York
    expect([iso(hours.opensAt(half)), iso(hours.closesAt(half))]).toEqual([
      "2026-11-27T14:30:00.000Z",
      "2026-11-27T18:00:00.000Z",
    ]);
    // 18 June, not the holiday of 19 June, then Monday
    const coming = comingBars(series, hours, Date.parse("2026-06-17T20:00:00Z"));
    expect([coming.next().value, coming.next().value].map(({ close }) => iso(close))).toEqual([
      "2026-06-18T20:00:00.000Z",
      "2026-06-22T20:00:00.000Z",
    ]);
    // a bar that has closed, but is not in the series yet, is not coming
    const later = comingBars(series, hours, Date.parse("2026-06-18T20:00:00Z"));
    expect(iso(later.next().value.close)).toBe("2026-06-22T20:00:00.000Z");
    // nor is one that is open; before it opens, it is
    const [during, before] = ["2026-06-18T14:00:00Z", "2026-06-18T13:00:00Z"].map(Date.parse);
    expect(iso(comingBars(series, hours, during!).next().value.close)).toBe("2026-06-22T20:00:00.000Z");
    expect(iso(comingBars(series, hours, before!).next().value.close)).toBe("2026-06-18T20:00:00.000Z");
    expect([during, before].map((at) => iso(lastOpening(series, hours, at!)))).toEqual([
      "2026-06-18T13:30:00.000Z",
      "2026-06-17T13:30:00.000Z",
    ]);
  });

  it("are whole days in a market that never closes", () => {
    const bars = climbingBars({ zone: "UTC", end: Date.parse("2026-06-19T00:00:00Z") });
    const series = seriesOf(bars, "2026-06-20T00:00:00.000Z");
    const hours = barHours(series)!;
    const { day, close } = comingBars(series, hours, Date.parse("2026-06-20T09:00:00Z")).next().value;
    expect([iso(day), iso(close), iso(hours.opensAt(day))]).toEqual([
      "2026-06-21T00:00:00.000Z",
      "2026-06-22T00:00:00.000Z",
      "2026-06-21T00:00:00.000Z",
    ]);
  });

  it("are null for a series whose close fits no rule", () => {
    expect(barHours(seriesOf(climbingBars(), "2026-01-14T11:11:00.000Z"))).toBeNull();
    expect(barHours(seriesOf(climbingBars({ count: 0 }), null))).toBeNull();
  });
});
