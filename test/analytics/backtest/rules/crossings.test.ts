import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { evaluateRules } from "../../../../src/analytics/backtest/rules/evaluate.ts";
import { type Beyond, crossedLevels, levelsBeyond } from "../../../../src/analytics/conditions/crossing.ts";
import { ruleColumn, ruleOf } from "../../../../src/analytics/conditions/rule.ts";
import { holdsFor, screenRuleOf } from "../../../../src/analytics/conditions/screen-rule.ts";
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

    const grown = [...one.closes.keys()];
    // an agent decides at the newest bar of a growing history; its first bars have no bar before them
    const bought = one.closes.flatMap((_, bar) =>
      bar > 0 &&
      ruleDecision(plan, { bars: barsAround(one.closes.slice(0, bar + 1)), holds: false }).action === "buy"
        ? [bar]
        : [],
    );
    expect(bought).toEqual(one.right_bars);

    // the screener reads the row at its close
    const screen = screenRuleOf(text, { sectors: [], readSector: (sector) => sector });
    if ("problems" in screen) throw new Error(JSON.stringify(screen.problems));
    const fields = { numbers: {}, words: {} } as never;
    expect(grown.filter((bar) => holdsFor(screen, fields, barsAround(one.closes.slice(0, bar + 1))))).toEqual(
      one.right_bars,
    );

    // an alert at a level reads one price after another
    const side = one.op === "crosses_above" ? "above" : "below";
    const levels = { above: null, below: null, [side]: one.level };
    let before: Beyond | null = null;
    const passed = one.closes.flatMap((price, bar) => {
      const now = levelsBeyond(levels, price);
      const sides = crossedLevels(before, now);
      before = now;
      return sides.includes(side) ? [bar] : [];
    });
    expect(passed).toEqual(one.right_bars);
  });
});
