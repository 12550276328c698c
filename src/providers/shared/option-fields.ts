import { z } from "zod";
import type { OptionContract } from "../../domain/options-flow/options.ts";
import { newYorkDay } from "../../lib/newyork.ts";

/** A greek of an option; a missing one becomes null. */
export const Greek = z
  .number()
  .nullish()
  .transform((figure) => figure ?? null);

type Greeks = Pick<OptionContract, "iv" | "delta" | "gamma" | "theta" | "vega">;

/**
 * Returns greeks with the volatility that they belong to. Without a volatility, or with a delta of the wrong sign, the
 * provider's model failed, and the greeks are null.
 */
export function plausibleGreeks(
  type: OptionContract["type"],
  { iv, delta, gamma, theta = null, vega = null }: Omit<Greeks, "theta" | "vega"> & Partial<Greeks>,
): Greeks {
  const side = delta === null ? null : type === "call" ? delta : -delta;
  const isPlausible = iv !== null && side !== null && side >= 0 && side <= 1 && gamma !== null && gamma >= 0;
  return isPlausible
    ? { iv, delta, gamma, theta, vega: vega !== null && vega >= 0 ? vega : null }
    : { iv, delta: null, gamma: null, theta: null, vega: null };
}

/** The newest daily bar of one option; `at` is a time within its day, epoch ms. */
export interface OptionDay {
  readonly at: number;
  readonly volume: number | null;
}

/**
 * Returns a function that gives the volume of the newest session: 0 for an option whose newest bar is of an earlier
 * session; null without a bar.
 */
export function createSessionVolume(
  days: readonly (OptionDay | null)[],
): (day: OptionDay | null) => number | null {
  let session = Number.NEGATIVE_INFINITY;
  for (const day of days) if (day !== null) session = Math.max(session, newYorkDay(day.at));
  return (day) => (day === null ? null : newYorkDay(day.at) === session ? day.volume : 0);
}
