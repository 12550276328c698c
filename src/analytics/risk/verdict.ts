import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { RiskCheck, RiskUnit } from "../../domain/trading/trading.ts";
import { type Decimal, truncated } from "../../lib/decimal.ts";

/** Unit of a rule's values, and the owner's limit that sets it; null without one. */
interface Terms {
  readonly unit: RiskUnit | null;
  readonly set_by: keyof RiskLimits | null;
}
const terms = (unit: Terms["unit"], set_by: Terms["set_by"]): Terms => ({ unit, set_by });

/** Terms of every rule. Limits in percent of equity on amounts are checked and reported in dollars. */
export const RULE_TERMS = {
  kill_switch: terms(null, null),
  symbols: terms(null, "symbols"),
  market_hours: terms(null, "hours"),
  max_quote_age_seconds: terms("s", "max_quote_age_seconds"),
  price_confirmed: terms(null, null),
  max_orders_a_minute: terms("per minute", "max_orders_a_minute"),
  quantity_step: terms("units", null),
  short_sale: terms("units", null),
  exits_hold: terms("units", null),
  limit_price_off_pct: terms("%", "max_price_off_pct"),
  stop_price_off_pct: terms("%", "max_price_off_pct"),
  max_quantity: terms("units", "max_quantity"),
  max_notional_usd: terms("USD", "max_notional_usd"),
  max_notional_pct: terms("USD", "max_notional_pct"),
  buying_power: terms("USD", null),
  max_open_risk_pct: terms("USD", "max_open_risk_pct"),
  max_stop_over_target_points: terms("points", "max_stop_over_target_points"),
  max_daily_loss_pct: terms("%", "max_daily_loss_pct"),
  halt_drawdown_pct: terms("%", "halt_drawdown_pct"),
  cooldown_minutes: terms("minutes", "cooldown_minutes"),
} as const satisfies Readonly<Record<string, Terms>>;
export type RuleName = keyof typeof RULE_TERMS;

/** Result of a rule before its unit is added. */
export type Verdict = Omit<RiskCheck, "rule" | "unit" | "set_by"> & { readonly rule: RuleName };

/** Returns a verdict with its unit and the limit that sets it. */
export const withTerms = ({ rule, state, value, limit, ...rest }: Verdict): RiskCheck => ({
  rule,
  state,
  value,
  limit,
  ...RULE_TERMS[rule],
  ...rest,
});

export const passedCheck = (rule: RuleName, value: string, limit: string): Verdict => ({
  rule,
  state: "passed",
  value,
  limit,
  would_pass: null,
});

/** Returns the verdict of a rule whose data is missing. An order is sent only if no rule is failed or unknown. */
export const unknownCheck = (rule: RuleName, limit: string): Verdict => ({
  rule,
  state: "unknown",
  value: null,
  limit,
  would_pass: null,
});

/** Returns true for a rule that keeps an order from being sent: it failed, or its data is missing. */
export const isBroken = ({ state }: Pick<RiskCheck, "state">): boolean => state !== "passed";

/** Returns the verdict of a violated rule, with the value that would pass; null if none would. */
export const failedCheck = <Name extends RuleName>(
  rule: Name,
  value: string,
  limit: string,
  wouldPass: string | null,
): Verdict => ({
  rule,
  state: "failed",
  value,
  limit,
  would_pass: wouldPass,
});

/** Returns the verdict of a rule with a maximum; the passing value is the limit. */
export const maxCheck = (rule: RuleName, value: Decimal, limit: Decimal): Verdict =>
  value.lte(limit)
    ? passedCheck(rule, truncated(value), truncated(limit))
    : failedCheck(rule, truncated(value), truncated(limit), truncated(limit));

/** Returns the verdict with the time (epoch ms, rounded up to a second) at which a violated rule will pass by itself. */
export const withPassesAt = (check: Verdict, at: number): Verdict =>
  check.state !== "failed"
    ? check
    : { ...check, passes_at: new Date(Math.ceil(at / SECOND) * SECOND).toISOString() };
const SECOND = 1_000;
