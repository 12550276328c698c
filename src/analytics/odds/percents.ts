/**
 * Returns shares that add up to 1, rounded to hundredths that add up to 1 by the largest remainder method.
 */
export function wholePercents(shares: readonly number[]): number[] {
  const percents = shares.map((share) => Math.floor(100 * share + 1e-9));
  const left = 100 - percents.reduce((sum, percent) => sum + percent, 0);
  const order = shares
    .map((share, i) => ({ i, rest: 100 * share - percents[i]! }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i);
  for (const { i } of order.slice(0, Math.max(0, left))) percents[i]!++;
  return percents.map((percent) => percent / 100);
}
