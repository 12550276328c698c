import type { ProviderKey } from "../../transports/cli/host-settings.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts, type ProviderName } from "../provider-table.ts";

/** Returns the terms of a provider in one line: what they forbid, then the further terms. */
export function termsOf(name: ProviderName): string {
  const { forbidsAutomation, nonCommercial, noRedistribution, terms }: ProviderFacts = PROVIDERS[name];
  return [
    ...(forbidsAutomation ? ["automated use restricted"] : []),
    ...(nonCommercial ? ["non-commercial"] : []),
    ...(noRedistribution ? ["no redistribution"] : []),
    terms,
  ].join("; ");
}

/** Returns the providers that need a key, with what they add and their terms. */
export const providerKeys = (): readonly ProviderKey[] =>
  PROVIDER_NAMES.flatMap((name) => {
    const { title, gives, setting, secondSetting }: ProviderFacts = PROVIDERS[name];
    if (setting === null) return [];
    const settings = secondSetting === undefined ? [setting] : [setting, secondSetting];
    return [{ title, gives, terms: termsOf(name), settings }];
  });

/** Settings that each provider requires, by its name: `ALPACA_KEY_ID and ALPACA_SECRET_KEY`. */
export const KEY_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  PROVIDER_NAMES.flatMap((name) => {
    const { setting, secondSetting }: ProviderFacts = PROVIDERS[name];
    return setting === null
      ? []
      : [[name, secondSetting === undefined ? setting : `${setting} and ${secondSetting}`]];
  }),
);

/** Prefix of the names of exchanges of the package `ccxt`. */
const CCXT = "ccxt:";

/**
 * Returns the family of a provider by its name in answers. An exchange of the package `ccxt` belongs to the family of
 * the provider with whose name it begins: `ccxt:coinbaseexchange` to `coinbase`.
 */
export function familyOf(provider: string): string {
  const id = provider.startsWith(CCXT) ? provider.slice(CCXT.length) : provider;
  const name = PROVIDER_NAMES.find((known) => (id === provider ? known === id : id.startsWith(known)));
  if (name === undefined) return id;
  const { family = name }: ProviderFacts = PROVIDERS[name];
  return family;
}
