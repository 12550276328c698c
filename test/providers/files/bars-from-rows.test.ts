import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionZone, Timeframe } from "../../../src/domain/market/bars.ts";
import { barsFromRows, commonSpacing, timeframeOf } from "../../../src/providers/files/bars-from-rows.ts";
import { findLayout } from "../../../src/providers/files/layout.ts";
import { readRows } from "../../../src/providers/files/rows.ts";
import { flatCsv } from "../../support/csv-folder.ts";

const NY = "America/New_York";
const rowsOf = (...rows: string[]) => {
  const text = flatCsv(...rows);
  const layout = findLayout(text.split("\n").slice(0, 1));
  if (typeof layout === "string") throw new Error(layout);
  return readRows(text, layout);
};
const place = (timeframe: Timeframe, zone: SessionZone, ...rows: string[]) => {
  const reading = { timeframe, zone, clock: zone, adjustment: "unknown" } as const;
  const { bars, leftOut } = barsFromRows(rowsOf(...rows), reading);
  return {
    bars: [...bars.time].map((time, at) => `${new Date(time).toISOString().slice(0, 16)} ${bars.close[at]}`),
    bad: leftOut.get("repeated") ?? [],
    corrected: leftOut.get("corrected") ?? [],
  };
};

describe("barsFromRows", () => {
  it("never shifts the date of a daily bar, in any time zone or at any hour", () => {
    const expected = ["2024-01-02T00:00 1", "2024-01-03T00:00 2", "2024-07-01T00:00 3"];
    for (const zone of [NY, "UTC"] as const)
      for (const hour of ["", "T00:00", "T16:00", "T00:00:00Z", "T00:00:00-05:00", "T23:59:59+09:00"])
        expect(
          place("1d", zone, `2024-01-02${hour} 1`, `2024-01-03${hour} 2`, `2024-07-01${hour} 3`).bars,
        ).toEqual(expected);
  });

  it("reads times without an offset as New York time for stocks and as UTC for crypto", () => {
    expect(place("1h", NY, "2019-01-02T09:00 1", "2019-07-02T09:00 2").bars).toEqual([
      "2019-01-02T14:00 1",
      "2019-07-02T13:00 2",
    ]);
    expect(place("1h", "UTC", "2019-01-02T09:00 1", "2019-07-02T09:00 2").bars).toEqual([
      "2019-01-02T09:00 1",
      "2019-07-02T09:00 2",
    ]);
  });

  it("distinguishes both 01:00 bars when clocks go back, in either order", () => {
    const hours = ["2024-11-03T00:00 1", "2024-11-03T01:00 2", "2024-11-03T01:00 3", "2024-11-03T02:00 4"];
    const bars = ["2024-11-03T04:00 1", "2024-11-03T05:00 2", "2024-11-03T06:00 3", "2024-11-03T07:00 4"];
    expect(place("1h", NY, ...hours)).toMatchObject({ bars, bad: [] });
    expect(place("1h", NY, ...hours.toReversed())).toMatchObject({ bars, bad: [] });
  });

  it("reverses a file sorted newest first", () => {
    expect(place("1d", NY, "2024-01-04 3", "2024-01-03 2", "2024-01-02 1")).toMatchObject({
      bars: ["2024-01-02T00:00 1", "2024-01-03T00:00 2", "2024-01-04T00:00 3"],
      bad: [],
    });
  });

  it("uses the later written of two rows of a time with different figures", () => {
    const bars = ["2024-01-02T00:00 1", "2024-01-03T00:00 3", "2024-01-04T00:00 4"];
    const corrected = { bars, bad: [], corrected: [3] };
    expect(place("1d", NY, "2024-01-02 1", "2024-01-03 2", "2024-01-03 3", "2024-01-04 4")).toEqual(
      corrected,
    );
    expect(place("1d", NY, "2024-01-02 1", "2024-01-03 2", "2024-01-04 4", "2024-01-03 3")).toEqual(
      corrected,
    );
    // newest first: new rows are written above the others
    expect(place("1d", NY, "2024-01-04 4", "2024-01-03 3", "2024-01-03 2", "2024-01-02 1")).toEqual({
      ...corrected,
      corrected: [4],
    });
  });

  it("uses the first of two equal rows", () => {
    expect(place("1d", NY, "2024-01-02 1", "2024-01-03 2", "2024-01-03 2", "2024-01-04 4")).toMatchObject({
      bars: ["2024-01-02T00:00 1", "2024-01-03T00:00 2", "2024-01-04T00:00 4"],
      bad: [4],
    });
  });

  it("drops only the one outlier row, not the rows after it", () => {
    const kept = ["2024-01-02T00:00 1", "2024-01-03T00:00 2", "2024-01-05T00:00 4"];
    expect(place("1d", NY, "2024-01-02 1", "2024-01-03 2", "2042-01-04 3", "2024-01-05 4")).toMatchObject({
      bars: kept,
      bad: [4],
    });
    expect(place("1d", NY, "2024-01-02 1", "2024-01-03 2", "2004-01-04 3", "2024-01-05 4")).toMatchObject({
      bars: kept,
      bad: [4],
    });
  });

  it("returns ascending unique times and accounts for every row, in any order", () => {
    const days = fc.array(
      fc.integer({ min: 1, max: 28 }).map((day) => `2024-01-${String(day).padStart(2, "0")} ${day}`),
    );
    fc.assert(
      fc.property(days, (rows) => {
        const { bars, bad } = place("1d", "UTC", ...rows);
        expect(bars).toEqual([...new Set(bars)].sort());
        expect(bars.length + bad.length).toBe(rows.length);
        for (const bar of bars) expect(bar.slice(8, 10)).toBe(bar.slice(17).padStart(2, "0"));
      }),
    );
  });
});

describe("commonSpacing", () => {
  it("returns the most frequent spacing, the shorter of equals, in either direction", () => {
    const hour = 3_600_000;
    expect(commonSpacing(rowsOf("2024-01-04 1", "2024-01-05 1", "2024-01-08 1"))).toBe(24 * hour);
    expect(commonSpacing(rowsOf("2024-01-08 1", "2024-01-05 1", "2024-01-04 1"))).toBe(24 * hour);
    expect(commonSpacing(rowsOf("2024-01-04T09:30 1", "2024-01-04T13:30 1", "2024-01-05T09:30 1"))).toBe(
      4 * hour,
    );
  });

  it("returns null below three rows", () => {
    expect(commonSpacing(rowsOf("2024-01-04 1", "2024-01-05 1"))).toBeNull();
  });
});

describe("timeframeOf", () => {
  it("returns the timeframe, or null for other spacings", () => {
    expect([86_400_000, 900_000, 60_000, 120_000, 604_800_000].map(timeframeOf)).toEqual([
      "1d",
      "15m",
      "1m",
      null,
      null,
    ]);
  });
});
