import { affordable, decimal, maxDecimal, truncated } from "../../lib/decimal.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { openingUnits, type Rule, type Situation } from "./situation.ts";
import { failedCheck, passedCheck, unknownCheck } from "./verdict.ts";

/** Returns true for an order that opens a short option position of this kind. */
const sells = (situation: Situation, right: "call" | "put"): boolean =>
  situation.option?.right === right && situation.intent.side === "sell" && openingUnits(situation).gt(0);

/** Rejects a contract that has expired. */
export const expired: Rule = ({ option, now }) => {
  if (option === undefined) return null;
  const today = newYorkDate(now);
  return option.expiry < today
    ? failedCheck("expired", option.expiry, `${today} or later`, null)
    : passedCheck("expired", option.expiry, `${today} or later`);
};

/** Rejects a call that is sold without the shares: it has no largest loss. The figures are contracts. */
export const nakedCall: Rule = (situation) => {
  if (!sells(situation, "call")) return null;
  const { covered } = situation.option!;
  const { quantity } = situation.intent;
  if (covered === null) return unknownCheck("naked_call", "the contracts that shares cover");
  return decimal(quantity).lte(covered)
    ? passedCheck("naked_call", quantity, covered)
    : failedCheck("naked_call", quantity, covered, decimal(covered).gt(0) ? covered : null);
};

/** Warns of a put that is sold without the money for its shares. */
export const cashSecured: Rule = (situation) => {
  if (!sells(situation, "put")) return null;
  const { buyingPower, intent, option } = situation;
  const each = decimal(option!.strikeValue);
  if (buyingPower === null) return unknownCheck("cash_secured", "the value at the strike");
  const needed = each.times(intent.quantity).plus(option!.putsValue);
  const [value, limit] = [truncated(needed, 2), truncated(decimal(buyingPower), 2)];
  if (needed.lte(buyingPower)) return passedCheck("cash_secured", value, limit);
  const room = maxDecimal(decimal(buyingPower).minus(option!.putsValue), decimal(0));
  const fits = affordable(room, each, decimal(1));
  return failedCheck("cash_secured", value, limit, fits.gt(0) ? truncated(fits) : null);
};
