import type { Ledger } from "./types.ts";

const DAY_MS = 86_400_000;
/** Minimum share of weekend bars in a market that never closes: 60 % of the 2/7 expected for such a market. */
const ON_WEEKENDS = (2 / 7) * 0.6;

/**
 * Returns the trading days per year, judged by the bar starts (epoch ms): 365 if the market also trades on weekends,
 * else 252.
 * @see backtesting.py 0.6.6, which uses the same rule
 */
export function tradingYear(time: Float64Array): 252 | 365 {
  const weekends = time.filter((at) => [0, 6].includes(new Date(at).getUTCDay())).length;
  return weekends > ON_WEEKENDS * time.length ? 365 : 252;
}

/** Returns equity at the last close of each UTC day that has a bar, USD. A US session never crosses midnight UTC. */
export function dailyEquity({ time, equity }: Pick<Ledger, "time" | "equity">): Float64Array {
  const day = (t: number) => Math.floor(time[t]! / DAY_MS);
  return equity.filter((_, t) => t + 1 === time.length || day(t + 1) !== day(t));
}

/**
 * Returns the daily return of each day with a bar relative to the close of the day before, as a fraction; the first
 * day has none. Compounded, they give the total return. If equity falls to 0 or below, that day's return is -1 and
 * later ones are 0.
 */
export function dailyReturns(ledger: Pick<Ledger, "time" | "equity">): Float64Array {
  const equity = dailyEquity(ledger);
  const returns = new Float64Array(Math.max(0, equity.length - 1));
  for (let i = 0; i < returns.length; i++) {
    const before = equity[i]!;
    returns[i] = before > 0 ? Math.max(-1, equity[i + 1]! / before - 1) : 0;
  }
  return returns;
}
