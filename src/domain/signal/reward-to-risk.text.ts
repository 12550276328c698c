/** Keeps a ratio of hundredths, whose product with 100 may lie just under a whole number. */
const ROUNDING = 1e-9;

/** Formats the reward-to-risk ratio of a plan with two decimals, rounded down, so that 1.499 is not shown as 1.50. */
export const formatRewardToRisk = (ratio: number): string =>
  (Math.floor(100 * (ratio + ROUNDING)) / 100).toFixed(2);
