import Big from "big.js";
import type { Amount, Side } from "../../domain/trading/trading.ts";

const PLACES = 9;

/** Formats a decimal as an amount: at most nine places, without trailing zeros. */
export function toAmount(value: Big): Amount {
  const rounded = value.round(PLACES);
  return rounded.eq(0) ? "0" : rounded.toFixed();
}

/** Formats an average with twice the decimal places of an amount, so that rounding errors do not show. */
export const toAverage = (value: Big): string => value.round(2 * PLACES).toFixed();

/** Rounds to the cent: `up` away from zero, `down` towards zero, `half` to the nearest. */
export const roundToCents = (value: Big, way: "up" | "down" | "half"): Big =>
  value.round(2, { up: Big.roundUp, down: Big.roundDown, half: Big.roundHalfUp }[way]);

export const ZERO = (): Big => new Big(0);
export const minBig = (a: Big, b: Big): Big => (a.lt(b) ? a : b);
export const maxBig = (a: Big, b: Big): Big => (a.gt(b) ? a : b);
export { Big };

/**
 * Fee schedule of this simulation, modelled on the fees that US regulators charge on sales. It is not the schedule
 * of any regulator or broker. Stocks and funds: buying is free; selling costs 0.0000278 of the proceeds plus
 * 0.000166 a share (at most 8.30). Crypto: 0.25 % of the value. Each fee is rounded up to the cent.
 * A different schedule must get a different name.
 */
export const PAPER_FEES = {
  name: "paper-1",
  since: "2026-11-21",
  source: "Schedule of this simulation, modelled on US fees; not official",
  sellOfValue: "0.0000278",
  sellPerShare: "0.000166",
  sellPerShareMost: "8.30",
  cryptoOfValue: "0.0025",
} as const;

/** Returns the fee of one fill in US dollars. */
export function feeOf(fill: {
  readonly side: Side;
  readonly quantity: Big;
  readonly price: Big;
  readonly crypto: boolean;
}): Big {
  const value = fill.quantity.times(fill.price);
  if (fill.crypto) return roundToCents(value.times(PAPER_FEES.cryptoOfValue), "up");
  if (fill.side === "buy") return new Big(0);
  const shares = minBig(fill.quantity.times(PAPER_FEES.sellPerShare), new Big(PAPER_FEES.sellPerShareMost));
  return roundToCents(value.times(PAPER_FEES.sellOfValue), "up").plus(roundToCents(shares, "up"));
}
