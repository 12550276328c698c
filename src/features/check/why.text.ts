import type { Situation } from "../../analytics/risk/situation.ts";
import type { RuleName } from "../../analytics/risk/verdict.ts";
import type { RiskCheck } from "../../domain/trading/trading.ts";

/** Facts of a check that reasons name besides those of the rules. */
export interface WhyFacts {
  /** Holdings that move with the symbol, such as `VOO (0.95)`. */
  readonly correlated: readonly string[];
  /** Gap against the order: its share in one night of 100, the worst and its date. */
  readonly gaps: { readonly p99: number; readonly worst: number; readonly worstAt: string | null } | null;
  /** Source of the price here. */
  readonly source: string;
}

type Reason = (check: RiskCheck, situation: Situation, facts: WhyFacts) => string;

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

const REASONS: Partial<Readonly<Record<RuleName, Reason>>> = {
  kill_switch: () => "The owner of the account engaged the kill switch.",
  symbols: () => "The owner allows new positions only in other symbols.",
  session: ({ level }, { intent }) =>
    level === "stop"
      ? "Outside of regular hours brokers accept only limit orders."
      : intent.type === "market"
        ? "Outside of regular hours: a market order fills at the next open, at any price."
        : "Outside of regular hours: the order cannot trigger before the next open.",
  price_age: () => "The price is old: send the quote of your broker.",
  price_agrees: ({ value }, { price, reference, option }, { source }) =>
    option !== undefined
      ? "The premium is below the intrinsic value: a typing error?"
      : `Your price ${price} is ${value} % away from ${reference?.price} of ${source}.`,
  duplicate: ({ level, value }, { intent: { side } }) =>
    level === "stop"
      ? `The same ${side} order already works: cancel it first, or leave this one out.`
      : value === "another order works"
        ? `Another ${side} order in this symbol already works.`
        : `A ${side} order in this symbol was filled within 10 minutes.`,
  crosses_own: ({ value }) =>
    `Your own order on the other side at ${value} could trade with this one: cancel it first.`,
  quantity_step: () => "It is no multiple of the smallest quantity.",
  fraction: () => "Most brokers take fractions and amounts only as plain market orders in regular hours.",
  oversell: (_, { closesOnly, intent, option }) =>
    option !== undefined
      ? "It closes more contracts than are held and free."
      : intent.side === "buy"
        ? "It buys more than the short position: side buy opens the rest."
        : closesOnly
          ? "It sells more than is held and free: side sell_short opens the rest."
          : "It cannot be sold short.",
  limit_price_off_pct: () => "The limit is far from the price: a typing error?",
  stop_price_off_pct: () => "The trigger is far from the price: a typing error?",
  stop_price_side: () => "The stop order would trigger at once.",
  stop_loss_side: () => "The stop must be below the entry of a buy, above that of a short sale.",
  take_profit_side: () => "The target must be above the entry of a buy, below that of a short sale.",
  exits_on_closing: () => "The order only closes a position: exits would open a new one.",
  tick: () => "Most venues reject a price between two steps.",
  stop_missing: (_, { intent: { side } }) =>
    side === "buy"
      ? "Without a stop the whole amount is at risk."
      : "A short position without a stop can lose without limit.",
  stop_in_noise: () => "A usual day alone reaches this stop.",
  buying_power: () => "It costs more than the buying power.",
  trade_risk: (_, { option, intent: { side, stop_loss } }) =>
    option !== undefined
      ? side === "buy"
        ? "The whole premium can be lost."
        : "Loss if the price at expiry is at its 5th percentile."
      : stop_loss === null
        ? "Loss of two average daily ranges: there is no stop."
        : "Loss at the stop.",
  max_open_risk_pct: () =>
    "What this order adds to the loss if every stop is hit, against what the limit still allows.",
  gap_risk: (_, __, { gaps }) =>
    gaps === null
      ? "A night may cost more than the stop."
      : `One night in 100 moved ${percent(gaps.p99)} or more against it, past the stop; the worst ${percent(gaps.worst)}${gaps.worstAt === null ? "" : ` (${gaps.worstAt})`}.`,
  position_share: (_, { option }) =>
    option === undefined
      ? "The position after the order, with what is held."
      : "The shares, if it is assigned.",
  correlated_share: (_, __, { correlated }) => `Moves with ${correlated.slice(0, 4).join(", ")}.`,
  gross: () => "All positions and this order together.",
  liquidity: () => "A larger share of the daily volume moves the price against you.",
  spread: () => "An order at the market pays the spread.",
  max_daily_loss_pct: () => "Loss since the previous close.",
  cooldown_minutes: () => "Several losses in a row.",
  max_orders_a_minute: () => "Many orders within a minute.",
  earnings_inside: ({ value }) =>
    `The company reports on ${value}: gaps are larger then, and the odds do not know the date.`,
  expired: () => "The contract has expired.",
  naked_call: () => "A call sold without the shares can lose without limit.",
  cash_secured: () => "If it is assigned, the shares cost more than the buying power.",
  symbol_ambiguous: ({ value }) => `Read as ${value}.`,
  wash_sale: () =>
    "A purchase within 30 days of a sale at a loss may defer the loss (US tax, IRS Publication 550).",
  day_trade: () =>
    "It closes a position opened today. The minimum of 25,000 USD for day traders ended on 2026-06-04; brokers may apply it until 2027-10-20 (FINRA Rule 4210).",
};

/** Rules whose reason names figures of the order, which a concise answer keeps. */
const RULES_WITH_FIGURES: ReadonlySet<string> = new Set<RuleName>([
  "session",
  "price_agrees",
  "duplicate",
  "crosses_own",
  "gap_risk",
  "correlated_share",
  "earnings_inside",
  "wash_sale",
  "day_trade",
]);

/** Returns true if a concise answer keeps the reason of a rule. */
export const isReasonKept = ({ rule, level }: Pick<RiskCheck, "rule" | "level">): boolean =>
  level === "stop" || RULES_WITH_FIGURES.has(rule);

/** Returns why a rule did not pass, in one sentence; that the owner set its limit is said too. */
export function whyText(check: RiskCheck, situation: Situation, facts: WhyFacts, isOwned: boolean): string {
  const reason = REASONS[check.rule as RuleName]?.(check, situation, facts) ?? "It is outside of its limit.";
  return isOwned ? `${reason} The owner set the limit.` : reason;
}
