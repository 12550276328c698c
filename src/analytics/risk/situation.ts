import type { MarketState } from "../../domain/market/market.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { AccountType, Amount, Intent } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, maxDecimal, minDecimal } from "../../lib/decimal.ts";
import type { Verdict } from "./verdict.ts";

/** State that the rules read, as of `now`. Amounts of money are US dollars, instants epoch ms. */
export interface Situation {
  readonly intent: Intent;
  readonly accountType: AccountType;
  readonly killSwitch: boolean;
  readonly now: number;
  /** Last price, above 0. */
  readonly price: Amount;
  /** Time of the trade; null if unknown. */
  readonly pricedAt: number | null;
  readonly session: MarketState;
  /** The smallest step of a price, and of a quantity: 1 where only whole units are traded. */
  readonly tick: Amount;
  readonly step: Amount;
  /** Units held and on their way out: below 0 for short. What working orders will close is taken off. */
  readonly held: Amount;
  /** The same without deducting reserved units. Default: as held. */
  readonly holding?: Amount;
  /** Ids of those orders. Default: none. */
  readonly leaving?: readonly string[];
  /** Units reserved at the broker by exit orders, and the orders they belong to. Default: none. */
  readonly exits?: { readonly units: Amount; readonly orders: readonly string[] };
  /** True if short selling is allowed. */
  readonly shorting: boolean;
  readonly equity: Amount;
  readonly buyingPower: Amount;
  /** Lost if every stop of positions and working orders is hit. */
  readonly openRisk: Amount;
  /** Assumed risk per unit of a trade without a stop; null for the whole price. */
  readonly riskAUnit: Amount | null;
  /** Equity at the previous close; null if unknown. */
  readonly equityBefore: Amount | null;
  /** The highest that equity has been. */
  readonly equityPeak: Amount;
  /** When orders were sent, and when positions were stopped out at a loss, in any order. */
  readonly orders: readonly number[];
  readonly stopOuts: readonly number[];
}

/** One rule: its result, or null if it is switched off or does not apply. */
export type Rule = (situation: Situation, limits: RiskLimits) => Verdict | null;

/** Units of the order that only close what is held. */
export const closing = ({ intent, held }: Situation): Decimal => {
  const against = decimal(held).times(intent.side === "buy" ? -1 : 1);
  return against.lte(0) ? decimal(0) : minDecimal(against, decimal(intent.quantity));
};

/** Units that the order opens: rules that guard against loss never keep anybody from closing. */
export const opening = (situation: Situation): Decimal =>
  decimal(situation.intent.quantity).minus(closing(situation));

/** Inputs that estimate the fill price of an order. */
export interface Priced {
  readonly intent: Pick<Intent, "side" | "limit_price" | "stop_price">;
  readonly price: Amount;
}

/** The price a unit is reckoned at: the most a buyer may pay; the most a short seller may come to owe at the fill. */
export function worstUnitPrice({ intent, price }: Priced): Decimal {
  const { side, limit_price, stop_price } = intent;
  if (side === "buy" && limit_price !== null) return decimal(limit_price);
  return maxDecimal(decimal(price), decimal(limit_price ?? 0), decimal(stop_price ?? 0));
}

/** The entry that loses most at a stop: the most a buyer may pay, the least a short seller may get. */
export function worstEntry({ intent, price }: Priced): Decimal {
  const { side, limit_price, stop_price } = intent;
  if (limit_price !== null) return decimal(limit_price);
  const [last, beyond] = [decimal(price), decimal(stop_price ?? price)];
  return side === "buy" ? maxDecimal(last, beyond) : minDecimal(last, beyond);
}

/** The entry that loses least at a stop, as where a limit is better than its market: a stop has to be beyond this one too. */
export function bestEntry({ intent, price }: Priced): Decimal {
  const { side, limit_price, stop_price } = intent;
  const from = decimal(stop_price ?? price);
  if (limit_price === null) return from;
  return side === "buy" ? minDecimal(from, decimal(limit_price)) : maxDecimal(from, decimal(limit_price));
}
