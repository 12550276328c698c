/** Formats the reward-to-risk ratio of a plan with two decimals, rounded down, so that 1.499 is not shown as 1.50. */
export const formatRewardToRisk = (ratio: number): string => (Math.floor(100 * ratio) / 100).toFixed(2);
