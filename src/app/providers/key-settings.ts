import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts } from "../provider-table.ts";

/** The setting that each vendor's key is in, by the vendor's name. */
export const KEY_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  PROVIDER_NAMES.flatMap((name) => {
    const { setting, and }: ProviderFacts = PROVIDERS[name];
    return setting === null ? [] : [[name, and === undefined ? setting : `${setting} and ${and}`]];
  }),
);
