import {
  daysUntil,
  expiryClose,
  greeksOf,
  isOutOfTheMoney,
  quoteTime,
  yearsUntil,
} from "../../analytics/flow/contract.ts";
import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { nearestExpiry } from "./expiries.ts";

/** A contract with the Greeks of the provider, else computed ones. */
export type PricedContract = OptionContract & { readonly greeks: "provider" | "computed" | null };

export interface ContractFilters {
  /** `YYYY-MM-DD`, `nearest`, or `all`. */
  readonly expiry: string;
  readonly type?: "call" | "put" | undefined;
  readonly moneyness?: "itm" | "otm" | undefined;
  /** Number of strikes per expiry that are nearest to the price of the underlying. */
  readonly strikes?: number | undefined;
  readonly min_strike?: number | undefined;
  readonly max_strike?: number | undefined;
  readonly min_days?: number | undefined;
  readonly max_days?: number | undefined;
  /** Bounds of the absolute delta. */
  readonly min_delta?: number | undefined;
  readonly max_delta?: number | undefined;
  readonly min_volume?: number | undefined;
  readonly min_open_interest?: number | undefined;
}

/**
 * Returns the contracts of a chain that pass the filters, by expiry, strike and type. A contract without the figure that
 * a filter compares does not pass. `now` is the current time, epoch ms.
 */
export function selectContracts(
  chain: OptionChain,
  expiries: readonly string[],
  filters: ContractFilters,
  now: number,
): readonly PricedContract[] {
  const date = filters.expiry === "nearest" ? nearestExpiry(expiries, now) : filters.expiry;
  const spot = chain.underlying.price;
  const time = quoteTime(chain);
  const dated = chain.contracts.filter(
    ({ expiry }) =>
      (date === "all" ? expiryClose(expiry) > now : expiry === date) &&
      isWithin(daysUntil(expiry, time), filters.min_days, filters.max_days),
  );
  const near = filters.strikes === undefined ? dated : nearestStrikes(dated, spot, filters.strikes);
  return near
    .filter(
      (one) =>
        (filters.type === undefined || one.type === filters.type) &&
        isWithin(one.strike, filters.min_strike, filters.max_strike) &&
        isAtLeast(one.volume, filters.min_volume) &&
        isAtLeast(one.openInterest, filters.min_open_interest) &&
        (filters.moneyness === undefined ||
          (spot !== null && isOutOfTheMoney(one, spot) === (filters.moneyness === "otm"))),
    )
    .map((one) => withGreeks(one, spot, time))
    .filter(({ delta }) => {
      if (filters.min_delta === undefined && filters.max_delta === undefined) return true;
      return delta !== null && isWithin(Math.abs(delta), filters.min_delta, filters.max_delta);
    })
    .sort(compareContracts);
}

/** Orders contracts by expiry and strike, the call before the put. */
export const compareContracts = (a: OptionContract, b: OptionContract): number =>
  compareText(a.expiry, b.expiry) || a.strike - b.strike || compareText(a.type, b.type);

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Keeps the contracts of each expiry's `count` strikes nearest to the price; all of them without a price. */
function nearestStrikes(
  contracts: readonly OptionContract[],
  spot: number | null,
  count: number,
): readonly OptionContract[] {
  if (spot === null) return contracts;
  const strikes = new Map<string, Set<number>>();
  for (const { expiry, strike } of contracts)
    strikes.set(expiry, (strikes.get(expiry) ?? new Set()).add(strike));
  const kept = new Map(
    [...strikes].map(([expiry, all]) => [
      expiry,
      new Set([...all].sort((a, b) => Math.abs(a - spot) - Math.abs(b - spot) || a - b).slice(0, count)),
    ]),
  );
  return contracts.filter(({ expiry, strike }) => kept.get(expiry)!.has(strike));
}

/** Returns the contract with Greeks from its own volatility if the provider has none. */
function withGreeks(contract: OptionContract, spot: number | null, now: number): PricedContract {
  const { type, strike, expiry, iv, delta, gamma, theta, vega } = contract;
  if (delta !== null || gamma !== null || theta !== null || vega !== null)
    return { ...contract, greeks: "provider" };
  const computed =
    iv === null || spot === null
      ? null
      : greeksOf({ type, spot, strike, iv, years: yearsUntil(expiry, now) });
  return { ...contract, ...computed, greeks: computed === null ? null : "computed" };
}

const isAtLeast = (value: number | null, min: number | undefined): boolean =>
  min === undefined || (value !== null && value >= min);
const isWithin = (value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): boolean =>
  value >= min && value <= max;
