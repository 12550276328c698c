import type { FlowSides } from "../../domain/options-flow/flow.ts";
import type { OptionContract } from "../../domain/options-flow/options.ts";
import { sum } from "../statistics.ts";
import { premiumOf } from "./contract.ts";

/** Totals of a chain: contracts traded, contracts open, estimated dollars paid. */
export interface FlowSums {
  readonly volume: FlowSides;
  readonly openInterest: FlowSides;
  readonly premium: FlowSides;
}

/** Returns the sums over contracts. Missing figures are skipped; if all are missing the sum is null, not 0. */
export const sumsOf = (contracts: readonly OptionContract[]): FlowSums => ({
  volume: sidesOf(contracts, ({ volume }) => volume),
  openInterest: sidesOf(contracts, ({ openInterest }) => openInterest),
  premium: sidesOf(contracts, (contract) => premiumOf(contract)),
});

/** Returns the sum of a figure over calls and over puts; null if no contract has it. */
export function sidesOf<T extends { readonly type: "call" | "put" }>(
  all: readonly T[],
  figure: (one: T) => number | null,
): FlowSides {
  const side = (type: "call" | "put") => knownSum(all.map((one) => (one.type === type ? figure(one) : null)));
  const [call, put] = [side("call"), side("put")];
  const total = call === null && put === null ? null : (call ?? 0) + (put ?? 0);
  return { call, put, total, put_call: ratio(put, call) };
}

/** Returns the sum of the known values; null if there are none. */
function knownSum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : sum(known);
}

/** Returns `over` / `under`; null if either is unknown or `under` is 0. */
export const ratio = (over: number | null, under: number | null): number | null =>
  over === null || under === null || under === 0 ? null : over / under;
