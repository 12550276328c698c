import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Rule, ruleColumn, ruleOf } from "../../../src/analytics/conditions/rule.ts";
import { newestTape } from "../../../src/analytics/decisions/rules.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { climbingBars } from "../../support/market.ts";

const rule = (text: string): Rule => {
  const read = ruleOf(text);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return read;
};
/** Closes 100, 101 ... 119. */
const BARS = climbingBars({ count: 20, step: 1, zone: "UTC" });

describe("a rule", () => {
  it("holds if all of its conditions hold, and returns the values they read", () => {
    const { held, start, figuresAt } = ruleColumn(rule("close > sma(3) AND close < 110"), BARS);
    // The average of three closes a dollar apart is a dollar below the last; 110 is the close of bar 10.
    expect([...held].slice(start)).toEqual(
      Array.from({ length: 20 - start }, (_, i) => (start + i < 10 ? 1 : 0)),
    );
    expect(start).toBeLessThan(4);
    expect(figuresAt(7)).toEqual({ close: 107, "sma(3)": 106 });
    expect(figuresAt(0)).toEqual({ close: 100, "sma(3)": null });
  });

  it("joined by or holds if one of its conditions holds", () => {
    const { held, figuresAt } = ruleColumn(rule("close < 102 or > 117"), BARS);
    // closes 100 to 119; bar 0 has no bar before it
    expect([...held].flatMap((one, bar) => (one === 1 ? [bar] : []))).toEqual([1, 18, 19]);
    expect(figuresAt(18)).toEqual({ close: 118 });
    expect(ruleOf("close < 102 or clse > 117")).toEqual({
      problems: [{ path: ["rule"], message: expect.stringMatching(/^Condition 2: At character 1: "clse"/) }],
    });
    expect(ruleOf("close < 102 or close > 117 and rsi > 50")).toMatchObject({
      problems: [{ message: expect.stringMatching(/^Condition 1: .*joined by and, or by or, not by both$/) }],
    });
  });

  it("reads the signal from a tape", () => {
    const tape = newestTape(20, [
      { score: 50, grade: "C", direction: "WAIT" },
      { score: 80, grade: "A", direction: "LONG" },
    ]);
    const read = rule("score crosses_above 70");
    expect(read.needs.tape).toBe(true);
    expect(ruleColumn(read, BARS, tape).held[19]).toBe(1);
  });

  it("reports the invalid condition", () => {
    expect(ruleOf("rsi(14) < 30 and clse > 5")).toEqual({
      problems: [{ path: ["rule"], message: expect.stringMatching(/^Condition 2: .*clse/) }],
    });
    expect(ruleOf("close >")).toMatchObject({ problems: [{ path: ["rule"] }] });
    expect(ruleOf(Array.from({ length: 21 }, () => "close > 5").join(" and "))).toMatchObject({
      problems: [{ message: expect.stringContaining("20") }],
    });
  });

  it("gives a bar the same result whatever bars follow", () => {
    const all = climbingBars({ count: 120, zone: "UTC" });
    const wave = { ...all, close: all.close.map((_, i) => 100 + 10 * Math.sin(i / 3)) };
    const read = rule("rsi(5) < 80 and close crosses_below sma(4)");
    const whole = ruleColumn(read, wave).held;
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 120 }), (end) => {
        expect([...ruleColumn(read, sliceBars(wave, 0, end)).held]).toEqual([...whole.slice(0, end)]);
      }),
      { numRuns: 30 },
    );
    expect([...whole].some((one) => one === 1)).toBe(true);
  });
});
