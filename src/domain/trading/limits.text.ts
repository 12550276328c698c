import type { RiskLimits } from "./risk.ts";

type Name = keyof RiskLimits;

export interface LimitDescription {
  readonly limit: Name;
  /** null: switched off. */
  readonly value: string | null;
  readonly hint: string;
}

const LIMIT_DESCRIPTIONS: Readonly<Record<Name, (value: string) => string>> = {
  max_notional_usd: (value) => `One order opens at most ${value} USD`,
  max_notional_pct: (value) => `One order opens at most ${value} % of equity`,
  max_quantity: (value) => `One order opens at most ${value} units`,
  max_price_off_pct: (value) => `A limit or stop price differs from the last price by at most ${value} %`,
  max_open_risk_pct: (value) =>
    `At most ${value} % of equity is lost if every stop is hit, from the current prices`,
  max_trade_risk_pct: (value) => `One order loses at most ${value} % of equity at its stop`,
  max_position_pct: (value) => `One position is worth at most ${value} % of equity`,
  max_adv_pct: (value) => `One order is at most ${value} % of the average daily volume`,
  max_daily_loss_pct: (value) =>
    `No position is opened after a loss of more than ${value} % of equity since the previous close`,
  halt_drawdown_pct: (value) => `No position is opened while equity is more than ${value} % below its peak`,
  max_stop_over_target_points: (value) =>
    `No position is opened whose stop is likelier than its target by more than ${value} percentage points, or whose odds are unknown`,
  max_orders_a_minute: (value) => `At most ${value} orders are sent within a minute`,
  max_quote_age_seconds: (value) => `No order is sent on a price older than ${value} seconds`,
  cooldown_stop_outs: (value) => `After ${value} stop-outs no position is opened until the cooldown ends`,
  cooldown_minutes: (value) => `A cooldown lasts ${value} minutes, counted from the first of the stop-outs`,
  symbols: (value) => `Only positions in these symbols are opened: ${value}`,
  hours: (value) =>
    value === "any"
      ? "Orders are sent at any hour"
      : "Orders are sent only while the venue is open; crypto orders at any hour",
  unconfirmed_live_usd: (value) =>
    `Live orders of at most ${value} USD within 24 hours, opening and closing together, need no confirmation by a person`,
  unconfirmed_live_closing: (value) =>
    value === "true"
      ? "Live orders that only close a position need no confirmation by a person, whatever their size"
      : "Live orders that close a position need a person's confirmation like all others",
};

const DISABLED_DESCRIPTIONS: Partial<Readonly<Record<Name, string>>> = {
  symbols: "Positions in any symbol are opened",
  max_trade_risk_pct: "Not set: a loss at the stop above 1 % of equity warns, above 5 % stops",
  max_position_pct: "Not set: a position above 20 % of equity warns",
  max_adv_pct: "Not set: an order above 1 % of the average daily volume warns, above 10 % stops",
  cooldown_stop_outs: "Off: stop-outs start no cooldown",
  unconfirmed_live_usd: "Every live order needs a person's confirmation",
};

/** Describes every limit, always in the same order. */
export const describeLimits = (limits: RiskLimits): readonly LimitDescription[] =>
  (Object.keys(LIMIT_DESCRIPTIONS) as Name[]).map((limit) => {
    const set = limits[limit];
    const value = set === null ? null : Array.isArray(set) ? set.join(", ") : String(set);
    return {
      limit,
      value,
      hint:
        value === null ? (DISABLED_DESCRIPTIONS[limit] ?? "Off: no limit") : LIMIT_DESCRIPTIONS[limit](value),
    };
  });

/** A limit that a change sets, as text; null: switched off. */
export interface LimitChange extends Pick<LimitDescription, "limit" | "hint"> {
  readonly now: string | null;
  readonly proposed: string | null;
}

/** Describes each limit of a change: now, and once it applies. */
export function describeLimitChange(limits: RiskLimits, change: Partial<RiskLimits>): readonly LimitChange[] {
  const now = new Map(describeLimits(limits).map(({ limit, value }) => [limit, value]));
  return describeLimits({ ...limits, ...change })
    .filter(({ limit }) => limit in change)
    .map(({ limit, value, hint }) => ({ limit, now: now.get(limit) ?? null, proposed: value, hint }));
}
