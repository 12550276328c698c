import type { OptionContract } from "../../domain/options-flow/options.ts";
import { premiumOf } from "./contract.ts";

/** One figure for calls and puts; null if no contract has it. */
export interface Sides {
  readonly call: number | null;
  readonly put: number | null;
  readonly total: number | null;
  /** Puts over calls; null without calls. */
  readonly put_call: number | null;
}

/** Totals of a chain: contracts traded, contracts open, estimated dollars paid. */
export interface FlowSums {
  readonly volume: Sides;
  readonly openInterest: Sides;
  readonly premium: Sides;
}

/** Sums over contracts. Missing figures are left out; if all are missing the sum is null, not 0. */
export const sumsOf = (contracts: readonly OptionContract[]): FlowSums => ({
  volume: sidesOf(contracts, ({ volume }) => volume),
  openInterest: sidesOf(contracts, ({ openInterest }) => openInterest),
  premium: sidesOf(contracts, (contract) => premiumOf(contract)),
});

/** One figure summed over calls and over puts. */
export function sidesOf<T extends { readonly type: "call" | "put" }>(
  all: readonly T[],
  figure: (one: T) => number | null,
): Sides {
  const sum = (type: "call" | "put"): number | null => {
    const known = all.flatMap((one) => (one.type === type ? (figure(one) ?? []) : []));
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
  };
  const [call, put] = [sum("call"), sum("put")];
  const total = call === null && put === null ? null : (call ?? 0) + (put ?? 0);
  return { call, put, total, put_call: ratio(put, call) };
}

/** One figure over another; null where either is unknown or the second is 0. */
export const ratio = (over: number | null, under: number | null): number | null =>
  over === null || under === null || under === 0 ? null : over / under;
