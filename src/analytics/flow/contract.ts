import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { newYorkDate, newYorkOffsetMs } from "../../lib/newyork.ts";
import { normalCdf } from "../backtest/normal.ts";

const HOUR = 3_600_000;
const YEAR = 365 * 86_400_000;

/** Years (of 365 days) from a moment, epoch ms, until 16:00 New York of a date `YYYY-MM-DD`; an hour at the least. */
export function yearsUntil(expiry: string, now: number): number {
  const day = Date.parse(expiry);
  const close = day + 16 * HOUR - newYorkOffsetMs(day + 12 * HOUR);
  return Math.max(HOUR, close - now) / YEAR;
}

export interface OptionTerms {
  readonly type: "call" | "put";
  /** Dollars. */
  readonly spot: number;
  readonly strike: number;
  readonly years: number;
  /** A fraction a year. */
  readonly iv: number;
}

/**
 * Delta and gamma (for one dollar) of a European option without interest and dividends; null where a term is not positive.
 * @see Fischer Black and Myron Scholes, "The Pricing of Options and Corporate Liabilities" (1973)
 */
export function greeksOf({ type, spot, strike, years, iv }: OptionTerms): {
  readonly delta: number;
  readonly gamma: number;
} | null {
  if (!(Math.min(spot, strike, years, iv) > 0)) return null;
  const spread = iv * Math.sqrt(years);
  const d1 = Math.log(spot / strike) / spread + spread / 2;
  const gamma = Math.exp((-d1 * d1) / 2) / Math.sqrt(2 * Math.PI) / (spot * spread);
  return { delta: type === "call" ? normalCdf(d1) : normalCdf(d1) - 1, gamma };
}

/** Shares of a contract. */
export const SHARES = 100;
const DAY = 86_400_000;

/** The moment a chain's figures are of, epoch ms. */
export const momentOf = ({ asOf, delayMinutes }: OptionChain): number =>
  Date.parse(asOf) - delayMinutes * 60_000;

/** The session that a chain's volumes are of, as New York's date (`YYYY-MM-DD`): that of its newest trade, else of its moment. */
export function sessionDateOf(chain: OptionChain): string {
  let newest = "";
  for (const { lastTradedAt } of chain.contracts)
    if (lastTradedAt !== null && lastTradedAt > newest) newest = lastTradedAt;
  return newYorkDate(newest === "" ? momentOf(chain) : Date.parse(newest));
}

/** Calendar days from a moment's date (UTC) until a contract's last day; negative once it is over. */
export const daysUntil = (expiry: string, now: number): number =>
  Math.round((Date.parse(expiry) - Math.floor(now / DAY) * DAY) / DAY);

/** Mid price in dollars per share; null without a bid and an ask at or above it. */
export const middleOf = ({ bid, ask }: Pick<OptionContract, "bid" | "ask">): number | null =>
  bid === null || ask === null || ask < bid ? null : (bid + ask) / 2;

/**
 * What was paid for a contract's volume, in dollars, as an estimate: volume x 100 x the middle of the quotes, or the last
 * trade's price where there is no middle. 0 for no volume; null where volume or price is unknown.
 */
export function premiumOf(contract: OptionContract, volume = contract.volume): number | null {
  if (volume === null) return null;
  if (volume === 0) return 0;
  const price = middleOf(contract) ?? contract.last;
  return price === null ? null : volume * SHARES * price;
}

/** True if the option is out of the money at this price of the underlying. */
export const isOutside = ({ type, strike }: OptionContract, spot: number): boolean =>
  type === "call" ? strike > spot : strike < spot;

/** Delta and gamma from the provider, else computed from its volatility; null without either. */
export function greeksAt(
  { type, strike, expiry, iv, delta, gamma }: OptionContract,
  spot: number,
  now: number,
): { readonly delta: number; readonly gamma: number } | null {
  if (delta !== null && gamma !== null) return { delta, gamma };
  const own = iv === null ? null : greeksOf({ type, spot, strike, iv, years: yearsUntil(expiry, now) });
  return own && { delta: delta ?? own.delta, gamma: gamma ?? own.gamma };
}
