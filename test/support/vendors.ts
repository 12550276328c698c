import {
  PROVIDER_NAMES,
  PROVIDERS,
  type ProviderFacts,
  type ProviderName,
} from "../../src/app/provider-table.ts";
import { ORDER } from "../../src/app/providers/prices.ts";

/** True if a provider is used without any setting: it requires neither a key nor accepted terms. */
export function isKeyless(name: ProviderName): boolean {
  const { setting, consent }: ProviderFacts = PROVIDERS[name];
  return setting === null && consent === undefined;
}

/** Providers used without any setting, in order. */
export const KEYLESS: readonly ProviderName[] = PROVIDER_NAMES.filter(isKeyless);

/** Price providers among them, by name. */
export const KEYLESS_PRICES: readonly ProviderName[] = [
  ...new Set<ProviderName>([...ORDER.us, ...ORDER.crypto]),
]
  .filter(isKeyless)
  .sort();

/** Settings for providers that require a key, as the program names them, in provider order. */
export const KEY_SETTINGS: readonly string[] = PROVIDER_NAMES.flatMap((name) => {
  const { setting, secondSetting }: ProviderFacts = PROVIDERS[name];
  return setting === null ? [] : [secondSetting === undefined ? setting : `${setting} and ${secondSetting}`];
});
