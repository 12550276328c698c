import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { daysUntil, isOutOfTheMoney, premiumOf, quoteTime } from "./contract.ts";

/** Description of the preset. */
export const UNUSUAL_DEFINITION =
  "volume above open interest, out of the money, 60 days or less, premium of $10,000 or more, 200 contracts or more";
const MAX_DAYS = 60;
const MIN_PREMIUM = 10_000;
const MIN_VOLUME = 200;

export interface Unusual {
  readonly contract: OptionContract;
  readonly premium: number;
}

/**
 * Returns the contracts with unusual activity, largest premium first. The aggressor side is not part of the preset,
 * because a chain does not show it. Contracts with unknown open interest are excluded.
 * @see Unusual Whales API, "/api/option-activity/unusual" (2026), for the preset
 */
export function unusualIn(chain: OptionChain): readonly Unusual[] {
  const spot = chain.underlying.price;
  if (spot === null) return [];
  const now = quoteTime(chain);
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
        isOutOfTheMoney(contract, spot);
      return is ? [{ contract, premium }] : [];
    })
    .sort((a, b) => b.premium - a.premium || (a.contract.symbol < b.contract.symbol ? -1 : 1));
}
