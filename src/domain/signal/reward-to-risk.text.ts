import { floorHundredths } from "../../lib/floor-hundredths.ts";

/** Formats the reward-to-risk ratio of a plan with two decimals, rounded down, so that 1.499 is not shown as 1.50. */
export const formatRewardToRisk = (ratio: number): string => floorHundredths(ratio).toFixed(2);
