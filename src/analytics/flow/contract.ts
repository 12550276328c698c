import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { newYorkDate, newYorkOffsetMs } from "../../lib/newyork.ts";
import { normalCdf } from "../backtest/normal.ts";

const HOUR = 3_600_000;
const YEAR = 365 * 86_400_000;

/** Returns 16:00 New York on the date `expiry` (`YYYY-MM-DD`), epoch ms. */
export function expiryClose(expiry: string): number {
  const day = Date.parse(expiry);
  return day + 16 * HOUR - newYorkOffsetMs(day + 12 * HOUR);
}

/** Returns the years (of 365 days) from `now` (epoch ms) to the close of an expiry; at least one hour. */
export const yearsUntil = (expiry: string, now: number): number =>
  Math.max(HOUR, expiryClose(expiry) - now) / YEAR;

export interface OptionTerms {
  readonly type: "call" | "put";
  /** Price of the underlying, dollars. */
  readonly spot: number;
  readonly strike: number;
  readonly years: number;
  /** Annual volatility as a fraction. */
  readonly iv: number;
}

export interface Greeks {
  /** Per dollar of the underlying. */
  readonly delta: number;
  readonly gamma: number;
  /** Dollars per calendar day. */
  readonly theta: number;
  /** Dollars per percentage point of volatility. */
  readonly vega: number;
}

/**
 * Returns the Greeks of a European option without interest and dividends; null if a term is not positive.
 * @see Fischer Black and Myron Scholes, "The Pricing of Options and Corporate Liabilities" (1973)
 */
export function greeksOf({ type, spot, strike, years, iv }: OptionTerms): Greeks | null {
  if (!(Math.min(spot, strike, years, iv) > 0)) return null;
  const spread = iv * Math.sqrt(years);
  const d1 = Math.log(spot / strike) / spread + spread / 2;
  const density = Math.exp((-d1 * d1) / 2) / Math.sqrt(2 * Math.PI);
  return {
    delta: type === "call" ? normalCdf(d1) : normalCdf(d1) - 1,
    gamma: density / (spot * spread),
    theta: (-spot * density * iv) / (2 * Math.sqrt(years) * 365),
    vega: (spot * density * Math.sqrt(years)) / 100,
  };
}

/** Shares of one standard contract. */
export const SHARES_PER_CONTRACT = 100;
const DAY = 86_400_000;

/** Returns the time at which a chain's figures were current, epoch ms. */
export const quoteTime = ({ asOf, delayMinutes }: OptionChain): number =>
  Date.parse(asOf) - delayMinutes * 60_000;

/**
 * Returns the session of a chain's volumes as a New York date (`YYYY-MM-DD`): that of its newest trade, else of its
 * timestamp.
 */
export function sessionDateOf(chain: OptionChain): string {
  let newest = "";
  for (const { lastTradedAt } of chain.contracts)
    if (lastTradedAt !== null && lastTradedAt > newest) newest = lastTradedAt;
  return newYorkDate(newest === "" ? quoteTime(chain) : Date.parse(newest));
}

/** Returns the calendar days from the UTC date of `now` to a contract's last day; negative after it. */
export const daysUntil = (expiry: string, now: number): number =>
  Math.round((Date.parse(expiry) - Math.floor(now / DAY) * DAY) / DAY);

/** Returns the mid price in dollars per share; null without a valid bid and ask. */
export const midPrice = ({ bid, ask }: Pick<OptionContract, "bid" | "ask">): number | null =>
  bid === null || ask === null || ask < bid ? null : (bid + ask) / 2;

/**
 * Returns the estimated dollars paid for a contract's volume: volume x 100 x the mid price, or the last trade's price
 * without a mid price. 0 for no volume; null if volume or price is unknown.
 */
export function premiumOf(contract: OptionContract, volume = contract.volume): number | null {
  if (volume === null) return null;
  if (volume === 0) return 0;
  const price = midPrice(contract) ?? contract.last;
  return price === null ? null : volume * SHARES_PER_CONTRACT * price;
}

/** Returns true if the option is out of the money at this price of the underlying. */
export const isOutOfTheMoney = ({ type, strike }: OptionContract, spot: number): boolean =>
  type === "call" ? strike > spot : strike < spot;

/** Returns delta and gamma from the provider, else computed from its volatility; null with neither. */
export function greeksAt(
  { type, strike, expiry, iv, delta, gamma }: OptionContract,
  spot: number,
  now: number,
): { readonly delta: number; readonly gamma: number } | null {
  if (delta !== null && gamma !== null) return { delta, gamma };
  const own = iv === null ? null : greeksOf({ type, spot, strike, iv, years: yearsUntil(expiry, now) });
  return own && { delta: delta ?? own.delta, gamma: gamma ?? own.gamma };
}
