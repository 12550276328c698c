import type { OptionsFlow } from "../../domain/options-flow/flow.ts";
import type { OptionChain } from "../../domain/options-flow/options.ts";
import { sum } from "../statistics.ts";
import { greeksAt, quoteTime, SHARES_PER_CONTRACT } from "./contract.ts";

/**
 * Returns the gamma exposure in dollars: gamma x open contracts x 100 x price^2 x 1%, positive for calls and negative
 * for puts. The sign assumes that dealers are long calls and short puts, which no chain shows. Includes all strikes
 * with open contracts, ascending. Null without a price or without a contract with known gamma and open interest.
 * @see SqueezeMetrics, "The Implied Order Book" (2020), for the convention
 */
export function gammaExposure(chain: OptionChain): Omit<NonNullable<OptionsFlow["gamma"]>, "sign"> | null {
  const spot = chain.underlying.price;
  if (spot === null) return null;
  const now = quoteTime(chain);
  const sums = new Map<number, { call: number; put: number }>();
  for (const one of chain.contracts) {
    const greeks = greeksAt(one, spot, now);
    if (greeks === null || one.openInterest === null || one.openInterest === 0) continue;
    const own = sums.get(one.strike) ?? { call: 0, put: 0 };
    sums.set(one.strike, own);
    const dollars = greeks.gamma * one.openInterest * SHARES_PER_CONTRACT * spot * spot * 0.01;
    own[one.type] += one.type === "call" ? dollars : -dollars;
  }
  if (sums.size === 0) return null;
  const strikes = [...sums]
    .sort(([a], [b]) => a - b)
    .map(([strike, { call, put }]) => ({ strike, call, put, net: call + put }));
  return { net: sum(strikes.map(({ net }) => net)), strikes };
}
