import { newYorkOffsetMs } from "../../lib/newyork.ts";
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
