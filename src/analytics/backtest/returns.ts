import type { Ledger } from "./types.ts";

const DAY_MS = 86_400_000;
/** Share of bars on weekends from which a market counts as one that never closes: well over none, under two of seven. */
const ON_WEEKENDS = (2 / 7) * 0.6;

/**
 * Trading days in a year by when bars (starts, epoch ms) are: 365 where weekends trade too, else 252.
 * @see backtesting.py 0.6.6, whose rule it is
 */
export function tradingYear(time: Float64Array): 252 | 365 {
  const weekends = time.filter((at) => [0, 6].includes(new Date(at).getUTCDay())).length;
  return weekends > ON_WEEKENDS * time.length ? 365 : 252;
}

/** Equity at the last close of each day that has a bar, USD. A day is the UTC one, which a US session never leaves. */
export function dailyEquity({ time, equity }: Pick<Ledger, "time" | "equity">): Float64Array {
  const day = (t: number) => Math.floor(time[t]! / DAY_MS);
  return equity.filter((_, t) => t + 1 === time.length || day(t + 1) !== day(t));
}

/**
 * Return of each day that has a bar on its equity at the close of the day before, a fraction; one fewer than days, as
 * the first has no day before. They chain to the whole. Equity that falls to 0 or below is a loss of all, -1, and
 * days after it are 0.
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
