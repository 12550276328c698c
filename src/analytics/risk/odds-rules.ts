import { decimal } from "../../lib/decimal.ts";
import { openingUnits, type Rule } from "./situation.ts";
import { maxCheck, unknownCheck } from "./verdict.ts";

/** Rule whose passing value depends on stop and target. */
export const ODDS_RULE = "max_stop_over_target_points";

/**
 * Rejects openings whose stop is likelier than their target by more than the limit, or whose odds are unknown. The
 * figures are percentage points.
 */
export const stopOverTarget: Rule = (situation, { max_stop_over_target_points: most }) => {
  if (most === null || openingUnits(situation).eq(0)) return null;
  const { odds = null } = situation;
  if (odds === null) return unknownCheck(ODDS_RULE, most);
  const points = decimal(odds.stop_first).minus(odds.target_first).times(100);
  return maxCheck(ODDS_RULE, points, decimal(most));
};
