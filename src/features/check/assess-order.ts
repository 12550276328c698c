import { assess } from "../../analytics/risk/assess.ts";
import { openingUnits, type Situation } from "../../analytics/risk/situation.ts";
import { changeOf, fieldOf, type RuleName } from "../../analytics/risk/verdict.ts";
import type { CheckedRule, Unknown } from "../../domain/check/check.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { RiskCheck } from "../../domain/trading/trading.ts";
import { decimal, minDecimal, truncated } from "../../lib/decimal.ts";
import { type WhyFacts, whyText } from "./why.text.ts";

/** Version of the rules, raised with every change of a result. */
export const RULES_VERSION = "rules-1.0.0";
const SEVERITY = { stop: 0, warn: 1, info: 2 } as const;

/** Limits made for orders that this server sends: their defaults do not apply to an order elsewhere. */
const OWN_GATE = {
  max_notional_usd: null,
  max_notional_pct: null,
  max_quantity: null,
  max_quote_age_seconds: null,
  max_stop_over_target_points: null,
  hours: "any",
} as const satisfies Partial<RiskLimits>;

export interface OrderAssessment {
  readonly checks: readonly RiskCheck[];
  /** Those that failed, most severe first. */
  readonly rules: readonly CheckedRule[];
  readonly passed: readonly string[];
  /** Largest quantity that passes every rule on size; null if none is broken, none passes, or another rule stops the order. */
  readonly passingQuantity: string | null;
}

/** Assesses an order elsewhere by the one list of rules. `set`: the limits that the owner set. */
export function assessOrder(
  situation: Situation,
  { limits, set }: { readonly limits: RiskLimits; readonly set: Partial<RiskLimits> },
  facts: WhyFacts,
): OrderAssessment {
  const owned = new Set(Object.keys(set));
  const checks = assess(situation, { ...limits, ...OWN_GATE, ...set }, owned).map((check) =>
    isLossUnknown(situation) && ON_LOSS.has(check.rule) ? asUnknown(check) : check,
  );
  const failed = checks
    .filter(({ state }) => state === "failed")
    .toSorted((a, b) => SEVERITY[a.level] - SEVERITY[b.level]);
  return {
    checks,
    rules: failed.map((check) => ruleOf(check, situation, facts, owned)),
    passed: checks.filter(({ state }) => state === "passed").map(({ rule }) => rule),
    passingQuantity: passingQuantityOf(failed, (quantity) => {
      const smaller = { ...situation, intent: { ...situation.intent, quantity } };
      return assess(smaller, { ...limits, ...OWN_GATE, ...set }, owned).some(
        ({ state, level }) => state === "failed" && level === "stop",
      );
    }),
  };
}

/** Rules on the loss of an order, which is not known without a stop and an average range. */
const ON_LOSS: ReadonlySet<string> = new Set<RuleName>(["trade_risk", "max_open_risk_pct"]);
/** Returns true for an opening without a stop, if its range is not known either. */
export const isLossUnknown = (situation: Situation): boolean =>
  situation.intent.stop_loss === null && situation.riskAUnit === null && openingUnits(situation).gt(0);
const asUnknown = ({ passes_at: _, held_by: __, ...check }: RiskCheck): RiskCheck => ({
  ...check,
  state: "unknown",
  level: "warn",
  value: null,
  would_pass: null,
});

function ruleOf(
  check: RiskCheck,
  situation: Situation,
  facts: WhyFacts,
  owned: ReadonlySet<string>,
): CheckedRule {
  const { rule, level, value, limit, set_by } = check;
  const change = wouldPass(check);
  return {
    rule,
    level,
    value: figure(value ?? "unknown", check),
    limit: figure(limit, check),
    ...(change !== null && { would_pass: change }),
    why: whyText(check, situation, facts, set_by !== null && owned.has(set_by)),
  };
}

/** Returns a figure with its unit; words have none. */
function figure(text: string, { unit }: RiskCheck): string {
  if (unit === null || !/^-?\d+(\.\d+)?$/.test(text)) return text;
  if (unit === "%") return `${truncated(decimal(text), 2)} %`;
  return `${text} ${text === "1" ? unit.replace(/^(unit|contract|minute|point)s$/, "$1") : unit}`;
}

/** Returns the change of the order that passes a rule, or the time from which it passes; null if there is none. */
function wouldPass(check: RiskCheck): string | null {
  if (check.passes_at !== undefined) return `wait until ${check.passes_at}`;
  if (check.rule === "duplicate" && check.level === "stop") return "cancel the working order first";
  return check.would_pass === null || fieldOf(check) === null ? null : changeOf(check);
}

/** Returns the largest quantity that passes every rule on size; null if there is none, or a rule stops the order at it. */
function passingQuantityOf(
  failed: readonly RiskCheck[],
  isStopped: (quantity: string) => boolean,
): string | null {
  const sized = failed.filter((check) => fieldOf(check) === "quantity");
  const others = failed.filter((check) => fieldOf(check) !== "quantity" && check.level === "stop");
  const [first, ...rest] = sized.map(({ would_pass }) => would_pass);
  if (first == null || others.length > 0 || rest.some((one) => one === null)) return null;
  const quantity = truncated(minDecimal(decimal(first), ...rest.map((one) => decimal(one!))));
  return isStopped(quantity) ? null : quantity;
}

/** Returns the verdict: stop by a broken rule, warn by a warning or a required fact that is unknown, else ok. */
export function verdictOf(
  rules: readonly Pick<CheckedRule, "level">[],
  unknown: readonly Unknown[],
): "ok" | "warn" | "stop" {
  if (rules.some(({ level }) => level === "stop")) return "stop";
  const warns = rules.some(({ level }) => level === "warn") || unknown.some(({ required }) => required);
  return warns ? "warn" : "ok";
}
