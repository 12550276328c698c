import { openingUnits, type Situation, worstEntry, worstUnitPrice } from "../../analytics/risk/situation.ts";
import type { Preview } from "../../domain/trading/preview.ts";
import { roundAwayFromZero } from "../../lib/decimal.ts";

export const ONLY_CLOSES = "The order only closes a held position";

/** Returns the maximum loss at the stop and in the worst case, in US dollars before costs, rounded up to the cent. */
export function maximumLoss(situation: Situation | null): Preview["maximum_loss"] {
  if (situation === null) return { at_stop: null, worst: null, basis: "No order" };
  const units = openingUnits(situation);
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
      basis: "quantity x price, if the price falls to 0; before fees and slippage",
    };
  return {
    at_stop,
    worst: null,
    basis: `The loss of a short sale has no upper bound${at_stop === null ? "" : "; before fees and slippage"}`,
  };
}
