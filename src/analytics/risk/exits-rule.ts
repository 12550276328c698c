import { decimal, digits, greatest, least } from "../../lib/decimal.ts";
import { closing, type Rule } from "./situation.ts";
import { broken, kept } from "./verdict.ts";

/** What stop and target of an order hold at the broker is closed by nothing else beside them. */
export const exitsHold: Rule = (situation) => {
  const { exits, held } = situation;
  const closes = closing(situation);
  if (exits === undefined || closes.lte(0)) return null;
  const free = greatest(decimal(held).abs().minus(exits.units), decimal(0));
  if (closes.lte(free)) return kept("exits_hold", digits(closes), digits(free));
  const check = broken(
    "exits_hold",
    digits(closes),
    digits(free),
    free.gt(0) ? digits(least(free, closes)) : null,
  );
  return exits.orders.length === 0 ? check : { ...check, held_by: [...exits.orders] };
};
