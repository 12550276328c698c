import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { daysUntil, isOutside, momentOf, premiumOf } from "./contract.ts";

/** The preset in words. */
export const UNUSUAL =
  "volume above open interest, out of the money, 60 days or less, premium of $10,000 or more, 200 contracts or more";
const MAX_DAYS = 60;
const MIN_PREMIUM = 10_000;
const MIN_VOLUME = 200;

/** A contract that trades as it usually does not. */
export interface Unusual {
  readonly contract: OptionContract;
  readonly premium: number;
}

/**
 * Contracts of unusual activity, the largest premium first. Whether buyers were the eager side is left out of the preset: a
 * chain does not have it. A contract whose open interest is unknown is never among them.
 * @see Unusual Whales API, "/api/option-activity/unusual" (2026), for the preset
 */
export function unusualIn(chain: OptionChain): readonly Unusual[] {
  const spot = chain.underlying.price;
  if (spot === null) return [];
  const now = momentOf(chain);
  return chain.contracts
    .flatMap((contract): Unusual[] => {
      const { volume, openInterest, expiry } = contract;
      const days = daysUntil(expiry, now);
      const premium = premiumOf(contract);
      const is =
        volume !== null &&
        openInterest !== null &&
        premium !== null &&
        volume >= MIN_VOLUME &&
        volume > openInterest &&
        premium >= MIN_PREMIUM &&
        days >= 0 &&
        days <= MAX_DAYS &&
        isOutside(contract, spot);
      return is ? [{ contract, premium }] : [];
    })
    .sort((a, b) => b.premium - a.premium || (a.contract.symbol < b.contract.symbol ? -1 : 1));
}
