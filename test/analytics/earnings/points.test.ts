import { describe, expect, it } from "vitest";
import { deltaOf } from "../../../src/analytics/earnings/deltas.ts";
import { amount, pointsOf } from "../../../src/analytics/earnings/points.ts";
import { surpriseOf } from "../../../src/analytics/earnings/surprise.ts";

const against = (actual: number, estimate: number) =>
  surpriseOf({
    actual: { value: actual, basis: "reported", by: "one" },
    estimate: { value: estimate, basis: "reported", by: "one" },
  });
const line = (name: string, current: number) =>
  deltaOf({ name, unit: "USD", current, prior: 100, good: "UP" });
const FLAT = against(1, 1);
const none = { kpis: [], segments: [], results: [] } as const;

describe("bullish and bearish points", () => {
  it("are sentences with the figures of the report", () => {
    expect(
      pointsOf({
        eps: against(1.53, 1.49923),
        revenue: against(90.753e9, 95e9),
        guidance: FLAT,
        kpis: [line("Orders", 120), line("Churn", 101)],
        segments: [line("Services", 80)],
        results: [],
      }),
    ).toEqual({
      bullish: [
        "EPS of 1.53 USD against 1.50 USD expected, +2.05% of the estimate",
        "Orders +20.00% year over year, to 120 USD",
      ],
      bearish: [
        "Revenue of 90.75 bn USD against 95.00 bn USD expected, -4.47% of the estimate",
        "Services -20.00% year over year, to 80 USD",
      ],
    });
  });

  it("count streaks of at least three quarters, which an in-line quarter ends", () => {
    const with_ = (results: Parameters<typeof pointsOf>[0]["results"]) =>
      pointsOf({ eps: FLAT, revenue: FLAT, guidance: FLAT, ...none, results });
    expect(with_(["BEAT", "STRONG_BEAT", "BEAT"]).bullish).toEqual([
      "Beat EPS estimates 3 quarters in a row",
    ]);
    expect(with_(["MISS", "STRONG_MISS", "MISS", "MISS", "BEAT"]).bearish).toEqual([
      "Missed EPS estimates 4 quarters in a row",
    ]);
    for (const few of [
      ["BEAT", "BEAT"],
      ["BEAT", "BEAT", "IN_LINE", "BEAT"],
      ["BEAT", "BEAT", null],
    ] as const)
      expect(with_(few)).toEqual({ bullish: [], bearish: [] });
  });

  it("omit results in line with expectations", () => {
    expect(pointsOf({ eps: FLAT, revenue: FLAT, guidance: FLAT, ...none })).toEqual({
      bullish: [],
      bearish: [],
    });
  });

  it("abbreviate large numbers", () => {
    expect([94_076_168_920, -1.5e6, 66, 12.345].map(amount)).toEqual(["94.08 bn", "-1.50 m", "66", "12.35"]);
  });
});
