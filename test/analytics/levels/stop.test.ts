import { describe, expect, it } from "vitest";
import { stopDistance } from "../../../src/analytics/levels/stop.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const closes = new Array(6).fill(100);
/** Six bars at 100 with the given lows or highs; the first is one bar too old. */
const bars = (low: readonly number[], high = closes) => barsAround(closes, { low, high });

describe("stopDistance", () => {
  it.each([
    { low: [90, 100, 100, 98, 100, 100], distance: 2.25, why: "behind the 5-bar low by .25" },
    { low: [90, 100, 100, 99.5, 100, 100], distance: 1.5, why: "never nearer than 1.5" },
    { low: [90, 100, 95, 100, 100, 100], distance: 3, why: "never farther than 3" },
    { low: [100, 98, 100, 100, 100, 100], distance: 2.25, why: "the fifth bar back counts" },
  ])("lies $why ATR14", ({ low, distance }) => {
    expect(stopDistance("LONG", bars(low), 1)).toBe(distance);
  });

  it("mirrors for SHORT", () => {
    expect(stopDistance("SHORT", bars(closes, [110, 100, 102, 100, 100, 100]), 1)).toBe(2.25);
  });

  it("increases with the range", () => {
    expect(stopDistance("LONG", bars([90, 100, 100, 96, 100, 100]), 2)).toBe(4.5);
  });
});
