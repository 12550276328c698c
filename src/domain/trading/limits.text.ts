import type { RiskLimits } from "./risk.ts";

type Name = keyof RiskLimits;

/** One limit as a person reads it. */
export interface LimitDescription {
  readonly limit: Name;
  /** null: switched off. */
  readonly value: string | null;
  readonly hint: string;
}

const LIMIT_DESCRIPTIONS: Readonly<Record<Name, (value: string) => string>> = {
  max_notional_usd: (value) => `One order opens ${value} USD at the most`,
  max_notional_pct: (value) => `One order opens ${value} % of equity at the most`,
  max_quantity: (value) => `One order opens ${value} units at the most`,
  max_price_off_pct: (value) => `A limit or stop price is ${value} % off the last price at the most`,
  max_open_risk_pct: (value) => `${value} % of equity is lost at the most where every stop is hit`,
  max_daily_loss_pct: (value) => `After a day that lost more than ${value} % of equity nothing is opened`,
  halt_drawdown_pct: (value) => `While equity is more than ${value} % under its highest nothing is opened`,
  max_orders_a_minute: (value) => `Orders sent within a minute: ${value} at the most`,
  max_quote_age_seconds: (value) => `Nothing is traded on a price older than ${value} seconds`,
  cooldown_stop_outs: (value) => `After ${value} stop-outs nothing is opened for the minutes of the cooldown`,
  cooldown_minutes: (value) => `A cooldown lasts ${value} minutes from the first of its stop-outs`,
  symbols: (value) => `Only these are opened: ${value}`,
  hours: (value) =>
    value === "any"
      ? "Orders are sent at any hour"
      : "Orders are sent while the venue is open, crypto always",
  unconfirmed_live_usd: (value) =>
    `Live orders that open ${value} USD at the most need no confirmation by the owner`,
};

const DISABLED_DESCRIPTIONS: Partial<Readonly<Record<Name, string>>> = {
  symbols: "Any symbol is opened",
  cooldown_stop_outs: "Off: stop-outs begin no cooldown",
  unconfirmed_live_usd: "Every live order needs the owner's confirmation",
};

/** Every limit there is with what it means, in one order. */
export const describeLimits = (limits: RiskLimits): readonly LimitDescription[] =>
  (Object.keys(LIMIT_DESCRIPTIONS) as Name[]).map((limit) => {
    const set = limits[limit];
    const value = set === null ? null : Array.isArray(set) ? set.join(", ") : String(set);
    return {
      limit,
      value,
      hint:
        value === null
          ? (DISABLED_DESCRIPTIONS[limit] ?? "Off: no such limit")
          : LIMIT_DESCRIPTIONS[limit](value),
    };
  });
