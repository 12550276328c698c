/** Share of bars on weekends from which a market counts as one that never closes: well over none, under two of seven. */
const ON_WEEKENDS = (2 / 7) * 0.6;

/**
 * Trading days in a year by when bars (starts, epoch ms) are: 365 where weekends trade too, else 252.
 * @see backtesting.py 0.6.6, whose rule it is
 */
export function tradingYear(time: Float64Array): 252 | 365 {
  let weekends = 0;
  for (const at of time) if ([0, 6].includes(new Date(at).getUTCDay())) weekends += 1;
  return weekends > ON_WEEKENDS * time.length ? 365 : 252;
}
