import type { Bars } from "../../domain/market/bars.ts";
import { splitConditions } from "../../lib/split-conditions.ts";
import { columnsOf, evaluateRules, type Needs, needsOf } from "../backtest/rules/evaluate.ts";
import { parseRules } from "../backtest/rules/parse.ts";
import type { Plan } from "../backtest/rules/plan.ts";
import { RULE_VOCABULARY, type Vocabulary } from "../backtest/rules/terms.ts";
import type { Problem } from "../backtest/strategies/problem.ts";
import { LONG } from "../backtest/types.ts";
import type { SignalTape } from "../score/tape-columns.ts";

/** Conditions in the syntax of backtest rules: "rsi(14) < 30 and close > sma(200)", or joined by "or". */
export interface Rule {
  readonly plan: Plan;
  readonly needs: Needs;
}

/** Parses a rule, or returns all problems with it; nothing is executed. */
export function ruleOf(text: string): Rule | { readonly problems: readonly Problem[] } {
  const parsed = parseConditions(text, { field: "rule", vocabulary: RULE_VOCABULARY });
  return "plan" in parsed ? { plan: parsed.plan, needs: needsOf(parsed.plan) } : parsed;
}

/** Parses conditions joined by "and" or by "or", or returns all problems with them at the path of the field. */
export function parseConditions(
  text: string,
  { field, vocabulary }: { readonly field: string; readonly vocabulary: Vocabulary },
): { readonly plan: Plan } | { readonly problems: readonly Problem[] } {
  const entry = splitConditions(text);
  const parsed = parseRules({ entry }, vocabulary);
  if ("plan" in parsed) return parsed;
  const count = Object.values(entry).flat().length;
  const place = ({ path, message }: Problem): Problem => ({
    path: [field],
    message: count > 1 && path.length === 3 ? `Condition ${Number(path[2]) + 1}: ${message}` : message,
  });
  return { problems: parsed.problems.map(place) };
}

export interface RuleColumn {
  /** 1 at each bar at which the rule holds, else 0. */
  readonly held: Uint8Array;
  /** First bar at which all terms of the rule have values; the rule is unknown before. */
  readonly start: number;
  /** Returns the values that the rule reads at a bar, by term; null if unknown. */
  readonly figuresAt: (bar: number) => Readonly<Record<string, number | null>>;
}

/**
 * Evaluates a rule at each closed bar, using only bars up to it.
 * @throws TypeError if the rule reads the signal and `tape` is missing
 */
export function ruleColumn({ plan }: Rule, bars: Bars, tape?: SignalTape): RuleColumn {
  const { action, start } = evaluateRules(plan, bars, tape);
  const columns = columnsOf(plan, bars, tape);
  return {
    held: Uint8Array.from(action, (one) => (one === LONG ? 1 : 0)),
    start,
    figuresAt: (bar) =>
      Object.fromEntries(
        plan.terms.map(({ name, args }, i) => {
          const value = columns[i]![bar]!;
          const term = args.length === 0 ? name : `${name}(${args.join(", ")})`;
          return [term, Number.isFinite(value) ? value : null];
        }),
      ),
  };
}
