import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../../src/analytics/backtest/rules/evaluate.ts";
import { FLAT, LONG } from "../../../src/analytics/backtest/types.ts";
import { newestTape, ruleDecision } from "../../../src/analytics/decisions/rules.ts";
import type { BacktestRules } from "../../../src/domain/backtest/backtest.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { rulePlan as planOf } from "../../support/rule-plan.ts";
import { tapeFor, tapeOf } from "../../support/signal-tape.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";

const CHANNEL = planOf({ entry: { all: ["close > 5"] }, exit: { any: ["close < 3"] } });
const decide = (closes: readonly number[], holds: boolean, plan = CHANNEL) =>
  ruleDecision(plan, { bars: barsAround(closes), holds });

describe("a decision by rules", () => {
  it("buys if the entry holds and no position is open, and reports the values of its terms", () => {
    expect(decide([1, 2, 6], false)).toEqual({
      action: "buy",
      reason: "The entry holds: close 6",
      stop: null,
      target: null,
      limit: null,
      terms: [{ term: "close", value: 6, word: null }],
      conditions: [
        { part: "entry", group: "all", text: "close > 5", held: true },
        { part: "exit", group: "any", text: "close < 3", held: false },
      ],
    });
    expect(decide([1, 2, 6], true)).toMatchObject({
      action: "hold",
      reason: "The entry holds, but a position is already held: close 6",
    });
  });

  it("sells an open position if the exit holds", () => {
    expect(decide([6, 6, 2], true)).toMatchObject({ action: "sell", reason: "The exit holds: close 2" });
    expect(decide([6, 6, 2], false)).toMatchObject({
      action: "hold",
      reason: "The exit holds, but no position is held: close 2",
    });
    expect(decide([6, 6, 4], true)).toMatchObject({
      action: "hold",
      reason: "Neither the entry nor the exit holds: close 4",
    });
  });

  it("returns stop and target prices for an entry", () => {
    const plan = planOf({ entry: { all: ["close > 5"] }, stop: "10 %", target: "20 %" });
    expect(decide([1, 2, 10], false, plan)).toMatchObject({ action: "buy", stop: 9, target: 12 });
    expect(decide([1, 2, 10], true, plan)).toMatchObject({ action: "hold", stop: null, target: null });
  });

  it("holds with a reason for too few bars, no bars and short rules", () => {
    const plan = planOf({ entry: { all: ["close > sma(5)"] } });
    expect(decide([1, 2, 3], false, plan)).toMatchObject({
      action: "hold",
      reason: "Too few bars for these rules: 3",
      terms: [
        { term: "close", value: 3, word: null },
        { term: "sma(5)", value: null, word: null },
      ],
    });
    expect(decide([], false)).toMatchObject({ action: "hold", terms: [] });
    const short = planOf({ entry: { all: ["close > 5"] }, side: "short" });
    expect(decide([1, 2, 6], false, short)).toMatchObject({
      action: "hold",
      reason: "These rules sell short, which agents do not support",
    });
  });

  it("reads grades and directions from the newest evaluations only", () => {
    const plan = planOf({ entry: { all: ["grade >= A-", "score crosses_above 70", "phase = Markup"] } });
    const bars = barsAround([1, 2, 3]);
    const reading = { direction: "LONG", phase: "Markup" } as const;
    const tape = newestTape(3, [
      { ...reading, score: 69, grade: "B+" },
      { ...reading, score: 80, grade: "A-", drivers: { m_rsi: null } },
    ]);
    const decision = ruleDecision(plan, { bars, holds: false, tape });
    expect(decision).toMatchObject({
      action: "buy",
      reason: "The entry holds: grade A-, score 80, phase Markup",
      conditions: [
        { text: "grade >= A-", held: true },
        { text: "score crosses_above 70", held: true },
        { text: "phase = Markup", held: true },
      ],
    });
    const one = newestTape(3, [{ ...reading, score: 80, grade: "A-" }]);
    // Earlier evaluations are unknown, so no cross is found.
    expect(ruleDecision(plan, { bars, holds: false, tape: one }).action).toBe("hold");
    expect(() => ruleDecision(plan, { bars, holds: false })).toThrow(TypeError);
  });

  it("uses no more evaluations than there are bars", () => {
    const { score } = tapeOf([10, 20]);
    const readings = [5, 10, 20].map((value) => ({ score: value, grade: null, direction: "WAIT" }) as const);
    expect(newestTape(2, readings).score).toEqual(score);
  });

  const RULES: BacktestRules = {
    entry: { any: ["close > sma(20)", "rsi(14) < 35", "score > 80"] },
    exit: { any: ["close < lowest(10)", "score < 15"] },
    stop: "2 atr",
  };

  it("matches the backtest at every bar, whatever later bars come", () => {
    const plan = planOf(RULES);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 70, max: 150 }), (seed, length) => {
        const bars = syntheticBars(seed, 150);
        const { action, start, stop } = evaluateRules(plan, bars, tapeFor(bars));
        const own = sliceBars(bars, 0, length);
        const at = length - 1;
        const [free, held] = [false, true].map((holds) =>
          ruleDecision(plan, { bars: own, holds, tape: tapeFor(own) }),
        );
        expect(at).toBeGreaterThanOrEqual(start);
        expect(free!.action).toBe(action[at] === LONG ? "buy" : "hold");
        expect(held!.action).toBe(action[at] === FLAT ? "sell" : "hold");
        expect(free!.stop).toBe(action[at] === LONG ? stop![at] : null);
      }),
      { numRuns: 40 },
    );
  });
});
