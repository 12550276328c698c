import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { RiskCheck, RiskLevel, RiskUnit } from "../../domain/trading/trading.ts";
import { type Decimal, truncated } from "../../lib/decimal.ts";

/** Field of an order that a passing value belongs to; `named`: the passing value names its fields itself. */
export type OrderField = "quantity" | "limit_price" | "stop_price" | "stop_loss" | "take_profit" | "named";

/**
 * What a rule's values are. As level, `limit` stops an order that goes to a broker connected here, or if the owner set the
 * limit, and warns otherwise; `advice` stops only if the owner set the limit, or far above its figure an order elsewhere.
 */
interface Terms {
  readonly unit: RiskUnit | null;
  /** The owner's limit that decides; null without one. */
  readonly set_by: keyof RiskLimits | null;
  readonly level: RiskLevel | "limit" | "advice";
  /** Field of the passing value; null if it is none of the order's. */
  readonly field: OrderField | null;
}
const terms = (
  unit: Terms["unit"],
  set_by: Terms["set_by"],
  level: Terms["level"],
  field: Terms["field"] = null,
): Terms => ({ unit, set_by, level, field });

/** Terms of every rule. Limits in percent of equity on amounts are checked and reported in dollars. */
export const RULE_TERMS = {
  kill_switch: terms(null, null, "stop"),
  symbols: terms(null, "symbols", "stop"),
  market_hours: terms(null, "hours", "stop"),
  session: terms(null, null, "warn", "named"),
  max_quote_age_seconds: terms("s", "max_quote_age_seconds", "limit"),
  price_age: terms(null, null, "warn", "named"),
  price_confirmed: terms(null, null, "stop"),
  price_agrees: terms("%", null, "warn"),
  max_orders_a_minute: terms("per minute", "max_orders_a_minute", "limit"),
  duplicate: terms(null, null, "warn"),
  crosses_own: terms("USD", null, "warn"),
  quantity_step: terms("units", null, "stop", "quantity"),
  fraction: terms("units", null, "warn", "named"),
  oversell: terms("units", null, "stop", "quantity"),
  exits_hold: terms("units", null, "stop", "quantity"),
  limit_price_off_pct: terms("%", "max_price_off_pct", "limit", "limit_price"),
  stop_price_off_pct: terms("%", "max_price_off_pct", "limit", "stop_price"),
  stop_price_side: terms("USD", null, "stop", "stop_price"),
  stop_loss_side: terms("USD", null, "stop", "stop_loss"),
  take_profit_side: terms("USD", null, "stop", "take_profit"),
  exits_on_closing: terms(null, null, "stop", "named"),
  tick: terms(null, null, "limit", "named"),
  stop_missing: terms(null, null, "warn", "stop_loss"),
  stop_in_noise: terms("ATR14", null, "warn", "stop_loss"),
  max_quantity: terms("units", "max_quantity", "limit", "quantity"),
  max_notional_usd: terms("USD", "max_notional_usd", "limit", "quantity"),
  max_notional_pct: terms("USD", "max_notional_pct", "limit", "quantity"),
  buying_power: terms("USD", null, "stop", "quantity"),
  trade_risk: terms("% of equity", "max_trade_risk_pct", "advice", "quantity"),
  max_open_risk_pct: terms("USD", "max_open_risk_pct", "limit", "quantity"),
  gap_risk: terms("x the loss at the stop", null, "warn"),
  position_share: terms("% of equity", "max_position_pct", "advice", "quantity"),
  correlated_share: terms("% of equity", null, "warn", "quantity"),
  gross: terms("% of equity", null, "warn", "quantity"),
  liquidity: terms("% of volume", "max_adv_pct", "advice", "quantity"),
  spread: terms("%", null, "warn", "named"),
  max_stop_over_target_points: terms("points", "max_stop_over_target_points", "limit"),
  max_daily_loss_pct: terms("%", "max_daily_loss_pct", "limit"),
  halt_drawdown_pct: terms("%", "halt_drawdown_pct", "limit"),
  cooldown_minutes: terms("minutes", "cooldown_minutes", "limit"),
  expired: terms(null, null, "stop"),
  naked_call: terms("contracts", null, "stop", "quantity"),
  cash_secured: terms("USD", null, "warn", "quantity"),
  symbol_ambiguous: terms(null, null, "info", "named"),
  earnings_inside: terms(null, null, "warn"),
  wash_sale: terms(null, null, "info"),
  day_trade: terms(null, null, "info"),
} as const satisfies Readonly<Record<string, Terms>>;
export type RuleName = keyof typeof RULE_TERMS;

/** Limits that the owner set, of an order elsewhere; `all` for one that goes to a broker connected here. */
export type OwnedLimits = ReadonlySet<string> | "all";

/** Result of a rule before its terms are added; `level` replaces that of its terms unless the owner set the limit. */
export type Verdict = Omit<RiskCheck, "rule" | "unit" | "set_by" | "level"> & {
  readonly rule: RuleName;
  readonly level?: RiskLevel;
};

/** Further limits that make a rule binding if the owner set them. */
const BOUND_TOO: Partial<Readonly<Record<RuleName, readonly (keyof RiskLimits)[]>>> = {
  cooldown_minutes: ["cooldown_stop_outs"],
};

/** Returns a verdict with its unit, its level and the limit that sets it. */
export function withTerms(
  { rule, state, level, value, limit, ...rest }: Verdict,
  limits: RiskLimits,
  owned: OwnedLimits,
): RiskCheck {
  const { unit, set_by, level: usual }: Terms = RULE_TERMS[rule];
  return { rule, state, level: levelOf(), value, limit, unit, set_by, ...rest };

  function levelOf(): RiskLevel {
    if (usual === "advice") {
      if (set_by !== null && limits[set_by] !== null) return "stop";
      return owned === "all" ? "warn" : (level ?? "warn");
    }
    if (usual !== "limit") return level ?? usual;
    const isOwned =
      owned === "all" || [set_by, ...(BOUND_TOO[rule] ?? [])].some((name) => owned.has(name ?? ""));
    return isOwned ? "stop" : (level ?? "warn");
  }
}

/** Returns the field of the order that the passing value of a rule belongs to; null for none. */
export const fieldOf = ({ rule }: Pick<RiskCheck, "rule">): OrderField | null =>
  RULE_TERMS[rule as RuleName].field;

/** Returns the change of an order that satisfies a rule with a field. */
export const changeOf = (check: RiskCheck): string =>
  fieldOf(check) === "named" ? check.would_pass! : `${fieldOf(check)} ${check.would_pass}`;

export const passedCheck = (rule: RuleName, value: string, limit: string): Verdict => ({
  rule,
  state: "passed",
  value,
  limit,
  would_pass: null,
});

/** Returns the verdict of a rule whose data is missing. */
export const unknownCheck = (rule: RuleName, limit: string): Verdict => ({
  rule,
  state: "unknown",
  value: null,
  limit,
  would_pass: null,
});

/** Returns true for a rule that keeps an order from being sent here: it failed, or its data is missing. */
export const isBroken = ({ state, level }: Pick<RiskCheck, "state" | "level">): boolean =>
  state !== "passed" && level === "stop";

/** Returns the verdict of a violated rule, with the value that would pass; null if none would. */
export const failedCheck = (
  rule: RuleName,
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
