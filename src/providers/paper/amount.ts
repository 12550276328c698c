import Big from "big.js";
import type { Amount } from "../../domain/trading/trading.ts";

const PLACES = 9;

/** A decimal as amounts are written: nine places at most, none of them idle. */
export function toAmount(value: Big): Amount {
  const rounded = value.round(PLACES);
  return rounded.eq(0) ? "0" : rounded.toFixed();
}

/** The digits of an average: twice as many places as are told of it, so that roundings on the way are not seen. */
export const toAverage = (value: Big): string => value.round(2 * PLACES).toFixed();

/** To the cent: `up` away from nothing, `down` towards it. */
export const roundToCents = (value: Big, way: "up" | "down" | "half"): Big =>
  value.round(2, { up: Big.roundUp, down: Big.roundDown, half: Big.roundHalfUp }[way]);

export const ZERO = (): Big => new Big(0);
export const minBig = (a: Big, b: Big): Big => (a.lt(b) ? a : b);
export const maxBig = (a: Big, b: Big): Big => (a.gt(b) ? a : b);
export { Big };
