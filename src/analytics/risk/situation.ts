import type { AssetClass, MarketState } from "../../domain/market/market.ts";
import type { PriceStepFault } from "../../domain/trading/price-step.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { AccountType, Amount, Intent, Side } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, maxDecimal, minDecimal } from "../../lib/decimal.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Agreement of a second provider with the price: `missing` if the price needs a confirmation and has none, `not_in_usd`
 * if the price itself is not in dollars.
 */
export type SecondPrice = "agrees" | "differs" | "missing" | "not_in_usd";

/** A working order, for rules that compare an order with others. */
export interface WorkingSummary {
  readonly side: Side;
  /** Units; null if unknown. */
  readonly quantity: Amount | null;
  readonly limitPrice: Amount | null;
  readonly stopPrice: Amount | null;
}

/** A fill of the order's symbol. */
export interface FillSummary {
  readonly side: Side;
  /** Epoch ms. */
  readonly at: number;
  /** USD; null if unknown. */
  readonly profit: Amount | null;
}

/** Facts of the symbol's market. Omitted: the rules that read it do not apply. null: it is unknown. */
export interface MarketFacts {
  /** ATR14 of daily bars, USD. */
  readonly atr?: Amount | null;
  /** Overnight gap against the order that 1 % of nights exceed, as a share of the price. */
  readonly gaps?: { readonly p99: number } | null;
  /** Mean daily volume of 20 days, units. */
  readonly averageVolume?: Amount | null;
  readonly spread?: { readonly bid: Amount; readonly ask: Amount } | null;
  /** A price from elsewhere than `price`; `isCurrent`: false for a close. */
  readonly reference?: { readonly price: Amount; readonly isCurrent: boolean };
  /** Next report of the company, and the last day of the trade, `YYYY-MM-DD`. */
  readonly report?: { readonly date: string; readonly until: string } | null;
}

/** Facts of an order for one option contract; its quantity is in contracts, its prices are of a contract. */
export interface OptionFacts {
  readonly right: "call" | "put";
  /** USD that one contract is worth at its strike. */
  readonly strikeValue: Amount;
  /** `YYYY-MM-DD`. */
  readonly expiry: string;
  /** Contracts that the shares held cover; null if the positions are not known. */
  readonly covered: Amount | null;
  /** USD that the shares held are worth, and the puts sold on them at their strikes. */
  readonly sharesValue: Amount;
  readonly putsValue: Amount;
}

/** Facts of an account elsewhere, as it describes them. Omitted or null as in `MarketFacts`. */
export interface AccountFacts {
  /** Working orders of the symbol; null if unknown. */
  readonly working?: readonly WorkingSummary[] | null;
  readonly fills?: readonly FillSummary[];
  /** Average price of the units held, USD; null if unknown. */
  readonly averagePrice?: Amount | null;
  /** True for a margin account; null if unknown. */
  readonly margin?: boolean | null;
  /** Value of the holdings that move with the symbol, USD. */
  readonly correlated?: Amount | null;
  /** Value of all holdings, long and short, USD. */
  readonly gross?: Amount | null;
}

/** Input of the rules at `now`. Amounts are in US dollars, times in epoch ms. null: unknown. */
export interface Situation extends MarketFacts, AccountFacts {
  readonly intent: Intent;
  readonly assetClass: AssetClass;
  readonly accountType: AccountType;
  readonly killSwitch: boolean;
  readonly now: number;
  /** Last price, above 0. */
  readonly price: Amount;
  /** Time of the last trade. */
  readonly pricedAt: number | null;
  readonly session: MarketState;
  /** True if the order may fill outside of regular hours. Default: false. */
  readonly extendedHours?: boolean;
  /** Result of comparing the price with a second provider. Default: no second provider to compare with. */
  readonly secondPrice?: SecondPrice;
  /** Minimum increments of the price and of the quantity; the quantity step is 1 if only whole units are traded. */
  readonly tick: Amount;
  readonly step: Amount;
  /** Prices of the order that are no multiples of their increment. */
  readonly offStep: readonly Pick<PriceStepFault, "field" | "price" | "nearest">[];
  /** Default: shares or a coin. */
  readonly option?: OptionFacts;
  /** Other instruments that the symbol may name. Default: none. */
  readonly otherNames?: readonly string[];
  /** Amount in USD that the order names instead of a quantity. Default: none. */
  readonly notional?: Amount;
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
  /** True for an order that never opens, such as buy_to_cover. Default: false. */
  readonly closesOnly?: boolean;
  readonly equity: Amount | null;
  readonly buyingPower: Amount | null;
  /** Loss if every stop of positions and working orders is hit. */
  readonly openRisk: Amount | null;
  /** Assumed risk per unit of a trade without a stop; null for the full price. */
  readonly riskAUnit: Amount | null;
  /** Equity at the previous close. */
  readonly equityBefore: Amount | null;
  readonly equityPeak: Amount | null;
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

/** Returns the units beyond those that the order closes. */
export const unitsBeyondHeld = (situation: Situation): Decimal =>
  decimal(situation.intent.quantity).minus(closingUnits(situation));

/**
 * Returns the units that the order opens; 0 for an order that must not open. Rules against losses apply only to these and
 * never block closing.
 */
export function openingUnits(situation: Situation): Decimal {
  const { intent, shorting, closesOnly = false } = situation;
  const mayOpen = !closesOnly && (intent.side === "buy" || shorting);
  return mayOpen ? unitsBeyondHeld(situation) : decimal(0);
}

/** Returns true during the regular session, and always for a market that never closes. */
export const isOpen = ({ session }: Pick<Situation, "session">): boolean =>
  session === "regular" || session === "always_open";

/** Returns 1 for a purchase and -1 for a sale. */
export const signOf = ({ side }: Pick<Intent, "side">): 1 | -1 => (side === "buy" ? 1 : -1);

/** Returns the risk of one opened unit, USD: the distance of its stop, else the assumed risk, else its full price. */
export function unitRisk(situation: Situation): Decimal {
  const { intent, riskAUnit } = situation;
  if (intent.stop_loss === null) return decimal(riskAUnit ?? worstUnitPrice(situation));
  const distance = worstEntry(situation).minus(intent.stop_loss).times(signOf(intent));
  return maxDecimal(distance, decimal(0)); // stop_loss_side says more of a stop on the wrong side
}

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
