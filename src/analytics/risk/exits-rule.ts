import { decimal, maxDecimal, minDecimal, truncated } from "../../lib/decimal.ts";
import { closing, type Rule } from "./situation.ts";
import { failedCheck, passedCheck } from "./verdict.ts";

/** Units reserved by an order's stop and target cannot be closed by another order. */
export const exitsHold: Rule = (situation) => {
  const { exits, held } = situation;
  const closes = closing(situation);
  if (exits === undefined || closes.lte(0)) return null;
  const free = maxDecimal(decimal(held).abs().minus(exits.units), decimal(0));
  if (closes.lte(free)) return passedCheck("exits_hold", truncated(closes), truncated(free));
  const check = failedCheck(
    "exits_hold",
    truncated(closes),
    truncated(free),
    free.gt(0) ? truncated(minDecimal(free, closes)) : null,
  );
  return exits.orders.length === 0 ? check : { ...check, held_by: [...exits.orders] };
};
