/**
 * The Kelly share of capital at risk, f = p - (1 - p) / b: `p` the chance to win, b the mean win over the mean loss, each
 * in units of what is risked and above 0. All of p where nothing was ever lost (null), no edge at all where nothing was won.
 * @see J. L. Kelly, "A new interpretation of information rate", 1956
 */
export function kellyShare(p: number, win: number | null, loss: number | null): number {
  if (loss === null) return p;
  if (win === null) return Number.NEGATIVE_INFINITY;
  return p - (1 - p) / (win / loss);
}
