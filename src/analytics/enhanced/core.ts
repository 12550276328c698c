import type { GroupValue } from "../score/groups.ts";
import { PRICE_GROUPS } from "../score/groups.ts";

const PRICE: ReadonlySet<string> = new Set(PRICE_GROUPS);

/**
 * The part of a signal's sum from prices and volume, -1 to 1: the five price groups renormalised over those present, without the
 * tilt of prints, options, news and markets, so that a composite counts none of these twice. Null without any of the groups.
 */
export function priceSum(groups: readonly GroupValue[]): number | null {
  const present = groups.filter(({ group, value }) => PRICE.has(group) && value !== null);
  if (present.length === 0) return null;
  return present.reduce((all, { value, effective_weight }) => all + effective_weight * value!, 0);
}
