import {
  PROVIDER_NAMES,
  PROVIDERS,
  type ProviderFacts,
  type ProviderName,
} from "../../src/app/provider-table.ts";
import { ORDER } from "../../src/app/providers/prices.ts";

/** Whether a vendor is asked with no setting made: it wants neither a key nor that its terms are accepted. */
export function isKeyless(name: ProviderName): boolean {
  const { setting, consent }: ProviderFacts = PROVIDERS[name];
  return setting === null && consent === undefined;
}

/** Vendors that are asked with no setting made, in their order. */
export const KEYLESS: readonly ProviderName[] = PROVIDER_NAMES.filter(isKeyless);

/** Those of them that tell prices, by name. */
export const KEYLESS_PRICES: readonly ProviderName[] = [
  ...new Set<ProviderName>([...ORDER.us, ...ORDER.crypto]),
]
  .filter(isKeyless)
  .sort();

/** What an operator may set for vendors that want a key, as the program names it, in their order. */
export const KEY_SETTINGS: readonly string[] = PROVIDER_NAMES.flatMap((name) => {
  const { setting, and }: ProviderFacts = PROVIDERS[name];
  return setting === null ? [] : [and === undefined ? setting : `${setting} and ${and}`];
});
