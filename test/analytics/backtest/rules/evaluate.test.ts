import { describe, expect, it } from "vitest";
import { lookAhead } from "../../../../src/analytics/backtest/look-ahead.ts";
import { evaluateRules, needsOf } from "../../../../src/analytics/backtest/rules/evaluate.ts";
import type { Plan } from "../../../../src/analytics/backtest/rules/plan.ts";
import { BAR_TERMS } from "../../../../src/analytics/backtest/rules/terms.ts";
import type { BacktestRules } from "../../../../src/domain/backtest/backtest.ts";
import { rulePlan as planOf } from "../../../support/rule-plan.ts";
import { tapeFor, tapeOf } from "../../../support/signal-tape.ts";
import { barsAround, syntheticBars } from "../../../support/synthetic-bars.ts";
import { decide, words } from "../strategies/decide.ts";

const { NaN: none } = Number;
const entries = (...all: string[]): Plan => planOf({ entry: { all } });
const sides = (plan: Plan, closes: readonly number[], ...rest: readonly (readonly number[])[]) =>
  words(evaluateRules(plan, barsAround(closes), rest[0] && tapeOf(rest[0])).action);

describe("evaluated rules", () => {
  it("enter if all, any and none agree, and exit if the exit holds", () => {
    const plan = planOf({
      entry: { all: ["close > 2"], any: ["close < 4", "close = 9"], none: ["close = 3"] },
      exit: { all: ["close >= 8"] },
      side: "short",
    });
    expect(sides(plan, [5, 2.5, 3, 3.5, 5, 9, 1])).toEqual(["-", "SHORT", "-", "SHORT", "-", "FLAT", "-"]);
  });

  it("measure stop and target of a limit entry from its limit, on both sides", () => {
    const bars = barsAround([100, 100]);
    const decided = (side: "long" | "short") =>
      evaluateRules(
        planOf({ entry: { all: ["close = 100"] }, side, limit: "3 %", stop: "2 %", target: "10 %" }),
        bars,
      );
    const { limit, stop, target } = decided("long");
    expect([limit![1], stop![1], target![1]]).toEqual(
      [97, 97 * 0.98, 97 * 1.1].map((one) => expect.closeTo(one, 9)),
    );
    const short = decided("short");
    expect([short.limit![1], short.stop![1], short.target![1]]).toEqual(
      [103, 103 * 1.02, 103 * 0.9].map((one) => expect.closeTo(one, 9)),
    );
  });

  it("apply any only if it is given", () => {
    expect(sides(planOf({ entry: { none: ["close > 3"] } }), [1, 2, 4])).toEqual(["-", "LONG", "-"]);
    expect(sides(planOf({ entry: { any: ["close > 3"] } }), [1, 2, 4])).toEqual(["-", "-", "LONG"]);
  });

  it("support every comparison operator", () => {
    const held = (op: string) =>
      sides(entries(`close ${op} 3`), [3, 2, 3, 4, 2, 4]).map((word) => (word === "LONG" ? 1 : 0));
    expect(held("<")).toEqual([0, 1, 0, 0, 1, 0]);
    expect(held("<=")).toEqual([0, 1, 1, 0, 1, 0]);
    expect(held(">")).toEqual([0, 0, 0, 1, 0, 1]);
    expect(held(">=")).toEqual([0, 0, 1, 1, 0, 1]);
    expect(held("=")).toEqual([0, 0, 1, 0, 0, 0]);
    expect(held("!=")).toEqual([0, 1, 0, 1, 1, 1]);
    expect(held("crosses_above")).toEqual([0, 0, 0, 1, 0, 1]);
    expect(held("crosses_below")).toEqual([0, 1, 0, 0, 1, 0]);
  });

  it("detect crosses as the strategies do", () => {
    const bars = syntheticBars(5, 300);
    const plan = planOf({
      entry: { all: ["sma(10) crosses_above sma(20)"] },
      exit: { all: ["sma(10) crosses_below sma(20)"] },
    });
    expect(evaluateRules(plan, bars)).toEqual(
      decide("sma_cross", bars, { fast: 10, slow: 20, side: "long" }),
    );
  });

  it("break out with a stop and target as the strategy does", () => {
    const bars = syntheticBars(5, 300);
    const plan = planOf({ entry: { all: ["close > highest(20)"] }, stop: "2 atr", target: "3 atr" });
    expect(evaluateRules(plan, bars)).toEqual(
      decide("donchian_breakout", bars, { stop_atr: 2, target_atr: 3 }),
    );
  });

  it("measure percent from the close at entry, in the direction of the position", () => {
    const run = (rest: Partial<BacktestRules>) =>
      evaluateRules(planOf({ entry: { all: ["close > 100"] }, ...rest }), barsAround([1, 200, 50]));
    const long = run({ stop: "5 %", target: "10 %" });
    expect([...long.stop!, ...long.target!]).toEqual([none, 190, none, none, 220, none]);
    const short = run({ side: "short", stop: "5 %" });
    expect([...short.stop!, short.target]).toEqual([none, 210, none, undefined]);
  });

  it("are false if one side is unknown, whatever the operator", () => {
    for (const op of ["<", "<=", ">", ">=", "=", "!=", "crosses_above", "crosses_below"])
      expect(sides(entries(`score ${op} 50`), [1, 1, 1], [50, none, none]).slice(1)).toEqual(["-", "-"]);
    for (const condition of ["grade != A", "direction = WAIT", "phase != Markup", "m_rsi != 5"])
      expect(sides(entries(condition), [1, 1, 1], [50, none, none]).slice(1)).toEqual(["-", "-"]);
  });

  it("read the tape's grade, direction, score, drivers and phase", () => {
    const scores = [50, 73, 27, 50];
    const all = (condition: string) =>
      sides(entries(condition), [1, 1, 1, 1], scores).map((w) => w === "LONG");
    expect(all("grade >= B+")).toEqual([false, true, false, false]);
    expect(all("direction = short")).toEqual([false, false, true, false]);
    expect(all("direction = WAIT")).toEqual([false, false, false, true]);
    expect(all("score < 30")).toEqual([false, false, true, false]);
    const tape = {
      ...tapeOf(scores),
      drivers: { m_rsi: Float64Array.of(1, 1, -1, none) },
      phase: [null, "Markup", "Markdown", null],
    };
    const bars = barsAround([1, 1, 1, 1]);
    const read = (condition: string) => words(evaluateRules(entries(condition), bars, tape).action);
    expect(read("m_rsi > 0")).toEqual(["-", "LONG", "-", "-"]);
    expect(read("m_macd > 0")).toEqual(["-", "-", "-", "-"]);
    expect(read("phase = markdown")).toEqual(["-", "-", "LONG", "-"]);
  });

  it("throw if the tape they need is missing", () => {
    expect(() => evaluateRules(entries("score > 5"), barsAround([1, 2]))).toThrow("require the signal tape");
  });

  it("report the data they need", () => {
    expect(needsOf(entries("sma(50) > 5", "macd > 0"))).toEqual({
      tape: false,
      structure: false,
      drivers: [],
      minBars: 52,
    });
    expect(needsOf(entries("phase = Markup", "m_rsi > t_adx"))).toEqual({
      tape: true,
      structure: true,
      drivers: ["m_rsi", "t_adx"],
      minBars: 253,
    });
    expect(needsOf(planOf({ entry: { all: ["close > 1"] }, stop: "1 atr" })).minBars).toBe(17);
  });
});

const TERMS = BAR_TERMS.flatMap(({ names }) => names);

describe("every term", () => {
  it.each([...TERMS, "score", "m_rsi", "t_ma200"])("%s does not change when later bars arrive", (name) => {
    const bars = syntheticBars(6, 300);
    const tape = tapeFor(bars);
    for (const plan of [
      entries(`${name} crosses_above ema(5)`),
      entries(`${name} > close`),
      entries(`${name} > 0`),
    ])
      expect(lookAhead((own) => evaluateRules(plan, own, tape), bars, { cuts: 30 })).toBe(null);
  });

  it.each(TERMS.filter((name) => name !== "stage"))(
    "%s has its first value at its declared minimum of bars",
    (name) => {
      const plan = entries(`${name} != -1000`);
      const { minBars } = needsOf(plan);
      const family = BAR_TERMS.find(({ names }) => names.includes(name))!;
      const args = family.params.map((param) => param.default);
      const bars = syntheticBars(3, 300);
      const column = family.columns(bars, ...args)[name]!;
      const first = column.findIndex((value) => !Number.isNaN(value));
      // The slowest column of an indicator determines the minimum.
      expect(first).toBeLessThanOrEqual(minBars - 3);
      expect(evaluateRules(plan, bars).start).toBe(first + 1);
    },
  );

  it("names exactly the columns that its family computes", () => {
    for (const { names, columns, params } of BAR_TERMS)
      expect(Object.keys(columns(syntheticBars(1, 3), ...params.map((param) => param.default)))).toEqual([
        ...names,
      ]);
  });
});
