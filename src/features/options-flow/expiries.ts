import { expiryClose } from "../../analytics/flow/contract.ts";
import type { OptionChain } from "../../domain/options-flow/options.ts";

/** Returns the expiries of a chain's contracts, `YYYY-MM-DD`, ascending. */
export const expiriesOf = ({ contracts }: OptionChain): readonly string[] =>
  [...new Set(contracts.map(({ expiry }) => expiry))].sort();

/** Returns the first expiry that has not closed at `now` (epoch ms); null without one. */
export const nearestExpiry = (expiries: readonly string[], now: number): string | null =>
  expiries.find((expiry) => expiryClose(expiry) > now) ?? null;

/** Returns the note that no contract expires on a date, with the nearest expiries and the number of all. */
export function unknownExpiryNote(symbol: string, expiries: readonly string[], date: string): string {
  const near = [expiries.findLast((expiry) => expiry < date), expiries.find((expiry) => expiry > date)];
  const named = near.filter((expiry) => expiry !== undefined).join(" and ");
  const known = expiries.length === 1 ? "its only expiry is" : `nearest of its ${expiries.length} expiries:`;
  return `No contract of ${symbol} expires on ${date}; ${known} ${named}`;
}
