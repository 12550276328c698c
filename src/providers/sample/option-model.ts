import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { DAY_MS } from "./time.ts";

const HOUR = 3_600_000;
const YEAR = 365 * DAY_MS;
const DENSITY = 1 / Math.sqrt(2 * Math.PI);

interface OptionModelInput {
  readonly type: "call" | "put";
  readonly spot: number;
  readonly strike: number;
  readonly years: number;
  /** Implied volatility, as a fraction a year. */
  readonly iv: number;
}

/**
 * Computes the value of a European option per share, without interest and dividends, and its greeks: theta per calendar
 * day, vega per percentage point.
 * @see Fischer Black and Myron Scholes, "The Pricing of Options and Corporate Liabilities" (1973)
 */
export function blackScholes({ type, spot, strike, years, iv }: OptionModelInput) {
  const spread = iv * Math.sqrt(years);
  const d1 = Math.log(spot / strike) / spread + spread / 2;
  const density = DENSITY * Math.exp((-d1 * d1) / 2);
  const up = normalCdf(d1);
  const call = spot * up - strike * normalCdf(d1 - spread);
  return {
    value: Math.max(0, type === "call" ? call : call - spot + strike),
    delta: type === "call" ? up : up - 1,
    gamma: density / (spot * spread),
    theta: (-spot * density * iv) / (2 * Math.sqrt(years) * 365),
    vega: (spot * density * Math.sqrt(years)) / 100,
  };
}

/** Returns the years until 16:00 New York on the expiry date, at least one hour. */
export function yearsUntil(expiry: number, now: number): number {
  const close = expiry + 16 * HOUR - newYorkOffsetMs(expiry + 12 * HOUR);
  return Math.max(HOUR, close - now) / YEAR;
}

/** Returns the probability that a standard normal number is at most `z`, to seven digits. */
function normalCdf(z: number): number {
  const outside = DENSITY * Math.exp((-z * z) / 2) * millsRatio(z);
  return z < 0 ? outside : 1 - outside;
}

/**
 * Returns the upper tail of the standard normal distribution at `z`, divided by its density there. @see Abramowitz and
 * Stegun 26.2.17
 */
export function millsRatio(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  return t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
}
