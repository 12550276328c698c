import Big from "big.js";
import type { Amount } from "../../domain/trading/trading.ts";

const PLACES = 9;

/** Formats a decimal as an amount: at most nine places, without trailing zeros. */
export function toAmount(value: Big): Amount {
  const rounded = value.round(PLACES);
  return rounded.eq(0) ? "0" : rounded.toFixed();
}

/** Formats an average with twice the decimal places of an amount, so that rounding errors do not show. */
export const toAverage = (value: Big): string => value.round(2 * PLACES).toFixed();

/** Rounds to the cent: `up` away from zero, `down` towards it. */
export const roundToCents = (value: Big, way: "up" | "down" | "half"): Big =>
  value.round(2, { up: Big.roundUp, down: Big.roundDown, half: Big.roundHalfUp }[way]);

export const ZERO = (): Big => new Big(0);
export const minBig = (a: Big, b: Big): Big => (a.lt(b) ? a : b);
export const maxBig = (a: Big, b: Big): Big => (a.gt(b) ? a : b);
export { Big };
