import { opening, type Situation, worstEntry, worstUnitPrice } from "../../analytics/risk/situation.ts";
import type { Preview } from "../../domain/trading/preview.ts";
import { roundAwayFromZero } from "../../lib/decimal.ts";

export const ONLY_CLOSES = "It only closes what is held";

/** What a trade may lose at its stop and at the worst, in dollars to the next cent above, before costs: never less than the loss. */
export function maximumLoss(situation: Situation | null): Preview["maximum_loss"] {
  if (situation === null) return { at_stop: null, worst: null, basis: "Nothing is sent" };
  const units = opening(situation);
  if (units.eq(0)) return { at_stop: null, worst: null, basis: ONLY_CLOSES };
  const { side, stop_loss } = situation.intent;
  const price = worstUnitPrice(situation);
  const at_stop =
    stop_loss === null
      ? null
      : roundAwayFromZero(units.times(worstEntry(situation).minus(stop_loss).abs()), 2);
  if (side === "buy")
    return {
      at_stop,
      worst: roundAwayFromZero(units.times(price), 2),
      basis: "quantity x price, which may go to 0; before fees and slippage",
    };
  return {
    at_stop,
    worst: null,
    basis: `A price has no upper bound: nor has the loss of a short sale${at_stop === null ? "" : "; before fees and slippage"}`,
  };
}
