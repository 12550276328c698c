import { describe, expect, it } from "vitest";
import { type Bars, barColumns, sliceBars } from "../../../src/domain/market/bars.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { type AtrPlan, atrPlan, planOutcome, planRecord } from "./plan.ts";

/** Bars after a close of 100, each as [open, high, low, close]. */
const barsAfter = (...rows: readonly (readonly [number, number, number, number])[]): Bars =>
  barColumns(
    [[100, 100, 100, 100] as const, ...rows].map(([open, high, low, close], i) => ({
      time: i * 86_400_000,
      open,
      high,
      low,
      close,
      volume: 1,
    })),
    { timeframe: "1d", adjustment: "split", zone: "UTC" },
  );
const LONG: AtrPlan = { side: "LONG", stop: 98, target: 106 };
const SHORT: AtrPlan = { side: "SHORT", stop: 102, target: 94 };

describe("an ATR plan", () => {
  it("has its stop at 1.5 ATR and its target at 4.25 ATR", () => {
    expect(atrPlan(100, 2, "LONG")).toEqual({ side: "LONG", stop: 97, target: 108.5 });
    expect(atrPlan(100, 2, "SHORT")).toEqual({ side: "SHORT", stop: 103, target: 91.5 });
  });

  it("does not exist without an ATR, or at a price that is not above 0", () => {
    expect(atrPlan(100, Number.NaN, "LONG")).toBeNull();
    expect(atrPlan(100, 0, "LONG")).toBeNull();
    expect(atrPlan(100, 24, "SHORT")).toBeNull();
    expect(atrPlan(100, 24, "LONG")).toMatchObject({ stop: 64 });
  });
});

describe("the outcome of a plan", () => {
  it.each([
    ["the stop", [[100, 101, 98, 99]], { end: "stop", r: -1 }],
    ["the target", [[100, 106, 99, 105]], { end: "target", r: 3 }],
    ["the stop before the target in one bar", [[100, 107, 97, 105]], { end: "stop", r: -1 }],
    ["an open below the stop", [[96, 97, 95, 96]], { end: "stop", r: -2 }],
    ["an open above the target, even if the stop follows", [[108, 109, 97, 98]], { end: "target", r: 4 }],
    [
      "the close of the last bar",
      [
        [100, 101, 99, 100],
        [100, 103, 99, 101],
      ],
      { end: "neither", r: 0.5 },
    ],
  ] as const)("is that of %s, long and upside down short", (_, rows, outcome) => {
    expect(planOutcome(barsAfter(...rows), 0, LONG, rows.length)).toEqual(outcome);
    const mirrored = rows.map(
      ([open, high, low, close]) => [200 - open, 200 - low, 200 - high, 200 - close] as const,
    );
    expect(planOutcome(barsAfter(...mirrored), 0, SHORT, rows.length)).toEqual(outcome);
  });

  it("ignores bars after the last one", () => {
    const bars = barsAfter([100, 101, 99, 100], [100, 120, 90, 100]);
    expect(planOutcome(bars, 0, LONG, 1)).toEqual({ end: "neither", r: 0 });
  });
});

describe("the record of plans", () => {
  const bars = syntheticBars(4, 200);

  it("counts the plans whose outcome is known at the bar", () => {
    const record = planRecord(bars, "LONG");
    const at = 120;
    const { base, outcome } = record.openAt(at)!;
    const known = Array.from({ length: at - 20 + 1 }, (_, bar) => bar)
      // no ATR before the 15th bar
      .filter((bar) => bar >= 14)
      .map((bar) => {
        const { high, low, close } = bars;
        let range = 0;
        for (let i = 1; i <= bar; i++) {
          const trueRange = Math.max(high[i]!, close[i - 1]!) - Math.min(low[i]!, close[i - 1]!);
          range += (trueRange - range) / Math.min(i, 14);
        }
        const plan = { side: "LONG", stop: close[bar]! - 1.5 * range, target: close[bar]! + 4.25 * range };
        return planOutcome(bars, bar, plan as AtrPlan, 20).end;
      });
    expect(known.filter((end) => end === "target").length).toBeGreaterThan(0);
    expect(base).toBeCloseTo(known.filter((end) => end === "target").length / known.length, 12);
    expect(outcome).toEqual(planOutcome(bars, at, record.openAt(at)!, 20));
  });

  it("has no plan without an outcome or an earlier one, and knows no later bar", () => {
    const record = planRecord(bars, "SHORT");
    expect(record.openAt(180)).toBeNull();
    expect(record.openAt(33)).toBeNull();
    expect(record.openAt(34)).not.toBeNull();
    const cut = planRecord(sliceBars(bars, 0, 141), "SHORT");
    expect(cut.openAt(120)).toEqual(record.openAt(120));
  });
});
