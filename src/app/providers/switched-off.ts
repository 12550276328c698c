import type { Config } from "../config.ts";
import { PROVIDERS, type ProviderFacts, type ProviderName } from "../provider-table.ts";

/** Setting that keeps a provider off. */
export type OffSetting = "PROVIDERS_OFF" | "PROVIDERS=licensed";

/** Returns the setting that keeps a provider off; null if none does. */
export function offSettingOf(
  name: ProviderName,
  { PROVIDERS: mode, PROVIDERS_OFF: off }: Pick<Config, "PROVIDERS" | "PROVIDERS_OFF">,
): OffSetting | null {
  if (off.includes(name)) return "PROVIDERS_OFF";
  const { forbidsAutomation = false }: ProviderFacts = PROVIDERS[name];
  return mode === "licensed" && forbidsAutomation ? "PROVIDERS=licensed" : null;
}

/**
 * Returns true if the data of a provider may be shown to callers without a key: its terms allow it, and it is not
 * connected with a key of the operator, unless its data is public domain.
 */
export function mayBeRepublished(name: string): boolean {
  if (!(name in PROVIDERS)) return false;
  const {
    setting,
    publicDomain = false,
    noRedistribution = false,
  }: ProviderFacts = PROVIDERS[name as ProviderName];
  return !noRedistribution && (setting === null || publicDomain);
}
