import { type Decimal, decimal, placesOf, stepDown, stepUp, truncated } from "../../lib/decimal.ts";
import { ASSUMED_STOP_ATR } from "../sizing/caps.ts";
import {
  bestEntry,
  closingUnits,
  openingUnits,
  type Rule,
  type Situation,
  signOf,
  worstEntry,
} from "./situation.ts";
import { failedCheck, passedCheck, type RuleName, type Verdict } from "./verdict.ts";

/** Requires a price to lie above another (1) or below it (-1). */
function onSide(rule: RuleName, value: string, direction: number, from: Decimal): Verdict {
  const limit = truncated(from);
  return decimal(value).minus(from).times(direction).gt(0)
    ? passedCheck(rule, value, limit)
    : failedCheck(rule, value, limit, `${direction > 0 ? "above" : "below"} ${limit}`);
}

/** Requires the stop of an opening to lie beyond every price at which it may fill. */
export const stopLossSide: Rule = (situation) => {
  const { intent } = situation;
  return intent.stop_loss === null || openingUnits(situation).eq(0)
    ? null
    : onSide("stop_loss_side", intent.stop_loss, -signOf(intent), bestEntry(situation));
};

/** Requires the target of an opening to lie beyond every price at which it may fill. */
export const takeProfitSide: Rule = (situation) => {
  const { intent } = situation;
  return intent.take_profit === null || openingUnits(situation).eq(0)
    ? null
    : onSide("take_profit_side", intent.take_profit, signOf(intent), worstEntry(situation));
};

/** Requires the trigger of a stop order to lie beyond the last price: it would trigger at once otherwise. */
export const stopPriceSide: Rule = ({ intent, price }) =>
  intent.stop_price === null
    ? null
    : onSide("stop_price_side", intent.stop_price, signOf(intent), decimal(price));

/** Rejects exits on an order that only closes a position: they would open a new one. */
export const exitsOnClosing: Rule = (situation) => {
  const { intent } = situation;
  const exits = (["stop_loss", "take_profit"] as const).filter((field) => intent[field] !== null);
  const onlyCloses = openingUnits(situation).eq(0) && closingUnits(situation).gt(0);
  return exits.length === 0 || !onlyCloses
    ? null
    : failedCheck(
        "exits_on_closing",
        exits.join(", "),
        "none",
        exits.map((field) => `no ${field}`).join(", "),
      );
};

/** Requires every price of an order to be a multiple of the price step (SEC Rule 612 for stocks and funds). */
export const tick: Rule = ({ tick: step, offStep }) => {
  const steps = `steps of ${step} USD`;
  if (offStep.length === 0) return passedCheck("tick", "on a step", steps);
  const value = offStep.map(({ field, price }) => `${field} ${price}`).join(", ");
  const nearest = offStep.map(({ field, nearest: near }) => `${field} ${near.join(" or ")}`).join(", ");
  return failedCheck("tick", value, steps, nearest);
};

/** Warns of an opening without a stop; the passing value is two average daily ranges away. */
export const stopMissing: Rule = (situation) => {
  // the loss of an option that is bought is its premium; of one that is sold other rules say more
  if (openingUnits(situation).eq(0) || situation.option !== undefined) return null;
  const { stop_loss } = situation.intent;
  if (stop_loss !== null) return passedCheck("stop_missing", "set", "a stop_loss");
  return failedCheck("stop_missing", "none", "a stop_loss", stopAt(situation, ASSUMED_STOP_ATR));
};

/** Distance of a stop in ATR14 that a usual day alone reaches. */
const NOISE_ATR = 1;

/** Warns of a stop nearer than an average daily range; the passing value is one range away. */
export const stopInNoise: Rule = (situation) => {
  const { intent, atr } = situation;
  if (intent.stop_loss === null || atr == null || openingUnits(situation).eq(0)) return null;
  const distance = bestEntry(situation).minus(intent.stop_loss).times(signOf(intent));
  if (distance.lte(0)) return null; // stop_loss_side says more
  const ranges = truncated(distance.div(atr), 2);
  return distance.gte(decimal(atr).times(NOISE_ATR))
    ? passedCheck("stop_in_noise", ranges, String(NOISE_ATR))
    : failedCheck("stop_in_noise", ranges, String(NOISE_ATR), stopAt(situation, NOISE_ATR));
};

/** Returns the stop at a number of ATR14 from the entry, on a price step away from it; null if it is unknown. */
function stopAt(situation: Situation, ranges: number): string | null {
  const { intent, atr, tick: step } = situation;
  if (atr == null) return null;
  const exact = bestEntry(situation).minus(decimal(atr).times(ranges * signOf(intent)));
  const rounded = signOf(intent) > 0 ? stepDown(exact, decimal(step)) : stepUp(exact, decimal(step));
  return rounded.gt(0) ? rounded.toFixed(placesOf(step)) : null;
}
