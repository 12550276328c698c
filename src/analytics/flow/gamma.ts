import type { OptionsFlow } from "../../domain/options-flow/flow.ts";
import type { OptionChain } from "../../domain/options-flow/options.ts";
import { sum } from "../statistics.ts";
import { greeksAt, momentOf, SHARES } from "./contract.ts";

/**
 * Gamma exposure: gamma x open contracts x 100 x price^2 x 1%, in dollars, calls counted positive and puts negative. The
 * sign supposes that dealers hold the calls and have sold the puts, which no chain shows. Null without a price or without a
 * contract whose gamma and open interest are known. Strikes are all with open contracts, ascending.
 * @see SqueezeMetrics, "The Implied Order Book" (2020), for the convention
 */
export function gammaExposure(chain: OptionChain): Omit<NonNullable<OptionsFlow["gamma"]>, "sign"> | null {
  const spot = chain.underlying.price;
  if (spot === null) return null;
  const now = momentOf(chain);
  const sums = new Map<number, { call: number; put: number }>();
  for (const one of chain.contracts) {
    const greeks = greeksAt(one, spot, now);
    if (greeks === null || one.openInterest === null || one.openInterest === 0) continue;
    const own = sums.get(one.strike) ?? { call: 0, put: 0 };
    sums.set(one.strike, own);
    const dollars = greeks.gamma * one.openInterest * SHARES * spot * spot * 0.01;
    own[one.type] += one.type === "call" ? dollars : -dollars;
  }
  if (sums.size === 0) return null;
  const strikes = [...sums]
    .sort(([a], [b]) => a - b)
    .map(([strike, { call, put }]) => ({ strike, call, put, net: call + put }));
  return { net: sum(strikes.map(({ net }) => net)), strikes };
}
