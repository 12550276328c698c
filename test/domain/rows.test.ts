import { describe, expect, it } from "vitest";
import { barRow, newestFirst } from "../../src/domain/rows.ts";
import { climbingBars } from "../support/market.ts";

const figures = { open: 1, high: 2, low: 0.5, close: 1.5, volume: 0 };

describe("a bar row", () => {
  it("has the date for a daily bar, else the start time", () => {
    const time = Date.UTC(2026, 0, 14, 14, 30);
    expect(barRow({ time: Date.UTC(2026, 0, 14), ...figures }, "1d")).toEqual({
      datetime: "2026-01-14",
      ...figures,
    });
    expect(barRow({ time, ...figures }, "30m")).toEqual({ datetime: "2026-01-14T14:30:00.000Z", ...figures });
  });

  it("is ordered newest first", () => {
    const rows = newestFirst(climbingBars({ count: 3 }));
    expect(rows.map(({ datetime, close }) => [datetime, close])).toEqual([
      ["2026-01-14", 100.25],
      ["2026-01-13", 100.125],
      ["2026-01-12", 100],
    ]);
    expect(newestFirst(climbingBars({ count: 0 }))).toEqual([]);
  });
});
