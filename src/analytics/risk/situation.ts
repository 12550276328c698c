import type { MarketState } from "../../domain/market/market.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { AccountType, Amount, Intent } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, maxDecimal, minDecimal } from "../../lib/decimal.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Agreement of a second provider with the price: `missing` if the price needs a confirmation and has none, `not_in_usd`
 * if the price itself is not in dollars.
 */
export type SecondPrice = "agrees" | "differs" | "missing" | "not_in_usd";

/** Input of the rules at `now`. Amounts are in US dollars, times in epoch ms. */
export interface Situation {
  readonly intent: Intent;
  readonly accountType: AccountType;
  readonly killSwitch: boolean;
  readonly now: number;
  /** Last price, above 0. */
  readonly price: Amount;
  /** Time of the last trade; null if unknown. */
  readonly pricedAt: number | null;
  readonly session: MarketState;
  /** Result of comparing the price with a second provider. Default: no second provider to compare with. */
  readonly secondPrice?: SecondPrice;
  /** Minimum increments of the price and of the quantity; the quantity step is 1 if only whole units are traded. */
  readonly tick: Amount;
  readonly step: Amount;
  /** Net units held, negative if short, less the units that working orders will close. */
  readonly held: Amount;
  /** Net units held without that deduction. Default: `held`. */
  readonly holding?: Amount;
  /** Ids of the working orders that close. Default: none. */
  readonly leaving?: readonly string[];
  /** Units that exit orders reserve at the broker, and the ids of those orders. Default: none. */
  readonly exits?: { readonly units: Amount; readonly orders: readonly string[] };
  /** True if short selling is allowed. */
  readonly shorting: boolean;
  readonly equity: Amount;
  readonly buyingPower: Amount;
  /** Loss if every stop of positions and working orders is hit. */
  readonly openRisk: Amount;
  /** Assumed risk per unit of a trade without a stop; null for the full price. */
  readonly riskAUnit: Amount | null;
  /** Equity at the previous close; null if unknown. */
  readonly equityBefore: Amount | null;
  readonly equityPeak: Amount;
  /** Odds of the order's stop and target, 0-1. Default: unknown. */
  readonly odds?: { readonly stop_first: number; readonly target_first: number } | null;
  /** Times of sent orders, and times of stop-outs at a loss, in any order. */
  readonly orders: readonly number[];
  readonly stopOuts: readonly number[];
}

/** A rule; returns null if it is switched off or does not apply. */
export type Rule = (situation: Situation, limits: RiskLimits) => Verdict | null;

/** Returns the units of the order that close a position. */
export const closingUnits = ({ intent, held }: Situation): Decimal => {
  const against = decimal(held).times(intent.side === "buy" ? -1 : 1);
  return against.lte(0) ? decimal(0) : minDecimal(against, decimal(intent.quantity));
};

/** Returns the units that the order opens. Rules against losses apply only to these and never block closing. */
export const openingUnits = (situation: Situation): Decimal =>
  decimal(situation.intent.quantity).minus(closingUnits(situation));

/** Inputs that estimate the fill price of an order. */
export interface Priced {
  readonly intent: Pick<Intent, "side" | "limit_price" | "stop_price">;
  readonly price: Amount;
}

/**
 * Returns the highest price that a unit may cost: the most a buyer may pay, or the highest price at which a short sale
 * may fill.
 */
export function worstUnitPrice({ intent, price }: Priced): Decimal {
  const { side, limit_price, stop_price } = intent;
  if (side === "buy" && limit_price !== null) return decimal(limit_price);
  return maxDecimal(decimal(price), decimal(limit_price ?? 0), decimal(stop_price ?? 0));
}

/**
 * Returns the entry price with the largest loss at a stop: the highest a buyer may pay, the lowest a short seller may
 * get.
 */
export function worstEntry({ intent, price }: Priced): Decimal {
  const { side, limit_price, stop_price } = intent;
  if (limit_price !== null) return decimal(limit_price);
  const [last, beyond] = [decimal(price), decimal(stop_price ?? price)];
  return side === "buy" ? maxDecimal(last, beyond) : minDecimal(last, beyond);
}

/**
 * Returns the entry price with the smallest loss at a stop, such as a limit better than the market; a stop must be
 * beyond this price too.
 */
export function bestEntry({ intent, price }: Priced): Decimal {
  const { side, limit_price, stop_price } = intent;
  const from = decimal(stop_price ?? price);
  if (limit_price === null) return from;
  return side === "buy" ? minDecimal(from, decimal(limit_price)) : maxDecimal(from, decimal(limit_price));
}
