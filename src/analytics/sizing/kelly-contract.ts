import { decimal } from "../../lib/decimal.ts";
import { CAPS, QUARTER } from "./caps.ts";
import { type SizingStep, step } from "./units.ts";

/** The side of a contract that is worth buying and the share of equity to put in it; `share` 0 means none, and why. */
export interface ContractStake {
  readonly side: "YES" | "NO" | null;
  readonly share: number;
  readonly reason: string | null;
  readonly steps: readonly SizingStep[];
}

/**
 * The part of a Kelly stake in a contract that pays 1 or nothing, at `price` of YES, believed true with `belief`, both
 * within 0 and 1, ends excluded. All that is put in is at risk. Throws RangeError for other numbers.
 * @see J. L. Kelly, "A new interpretation of information rate", 1956
 */
export function stakeInContract(price: number, belief: number, fraction: number = QUARTER): ContractStake {
  for (const [name, value] of Object.entries({ price, belief }))
    if (!(value > 0 && value < 1)) throw new RangeError(`${name} is ${value}, not between 0 and 1`);
  const figure = (name: string, formula: string, value: number) => step(name, formula, decimal(value), 6);
  const odds = [figure("price", "of YES", price), figure("belief", "that it is so", belief)];
  if (belief === price)
    return { side: null, share: 0, reason: "the belief is the price: there is no edge", steps: odds };
  const side = belief > price ? "YES" : "NO";
  const f = side === "YES" ? (belief - price) / (1 - price) : (price - belief) / price;
  const share = Math.min(fraction * f, CAPS.trade);
  return {
    side,
    share,
    reason: null,
    steps: [
      ...odds,
      figure("kelly", side === "YES" ? "(belief - price) / (1 - price)" : "(price - belief) / price", f),
      figure("part", `${fraction} x kelly`, fraction * f),
      figure("share", `the less of part and ${CAPS.trade}`, share),
    ],
  };
}
