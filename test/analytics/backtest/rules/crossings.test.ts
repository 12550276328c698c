import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { evaluateRules } from "../../../../src/analytics/backtest/rules/evaluate.ts";
import { ruleColumn, ruleOf } from "../../../../src/analytics/conditions/rule.ts";
import { ruleDecision } from "../../../../src/analytics/decisions/rules.ts";
import { rulePlan } from "../../../support/rule-plan.ts";
import { barsAround } from "../../../support/synthetic-bars.ts";
import { describeWithData } from "../../../support/test-data.ts";
import { words } from "../strategies/decide.ts";

interface Case {
  readonly closes: readonly number[];
  readonly op: "crosses_above" | "crosses_below";
  readonly level: number;
  readonly right_bars: readonly number[];
}

describeWithData("crossings through equality", ["numbers", "cross.json"], (path) => {
  const { cross } = JSON.parse(readFileSync(path, "utf8")) as { readonly cross: readonly Case[] };

  it.each(cross)("of $op $level are the same bars in backtests, alerts and agents", (one) => {
    const text = `close ${one.op} ${one.level}`;
    const plan = rulePlan({ entry: { all: [text] } });
    const bars = barsAround(one.closes);
    const traded = words(evaluateRules(plan, bars).action);
    expect([...traded.keys()].filter((bar) => traded[bar] === "LONG")).toEqual(one.right_bars);

    const rule = ruleOf(text);
    if ("problems" in rule) throw new Error(JSON.stringify(rule.problems));
    const { held } = ruleColumn(rule, bars);
    expect([...held.keys()].filter((bar) => held[bar] === 1)).toEqual(one.right_bars);

    // an agent decides at the newest bar of a growing history; its first bars have no bar before them
    const bought = one.closes.flatMap((_, bar) =>
      bar > 0 &&
      ruleDecision(plan, { bars: barsAround(one.closes.slice(0, bar + 1)), holds: false }).action === "buy"
        ? [bar]
        : [],
    );
    expect(bought).toEqual(one.right_bars);
  });
});
