import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../lib/make-folder.ts";
import { recordingFetch } from "../../providers/shared/recording-fetch.ts";
import { type Config, urlSettingOf } from "../config.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts, type ProviderName } from "../provider-table.ts";

/** A vendor as the operator sees it. */
export interface ProviderStatus {
  readonly name: string;
  readonly title: string;
  readonly gives: string;
  readonly terms: string;
  /** `on`, `off` by PROVIDERS_OFF, or without the settings it needs. */
  readonly state: "on" | "off" | "needs a key";
  /** Those it needs and lacks, or else those it needs; null for none. */
  readonly setting: string | null;
  /** Some of the settings it needs are made, and not all. */
  readonly isPartlyConfigured: boolean;
  /** The setting that accepts its terms, without which it is off: `KADOA_TERMS=accepted`; null where it is accepted or needs none. */
  readonly consent: string | null;
  /** Replacement base URL, if not the provider's own. */
  readonly replacementUrl: string | null;
}

/** A vendor and what of its settings is made. */
export function providerStatusOf(name: ProviderName, config: Config): ProviderStatus {
  const vendor = PROVIDERS[name];
  const { title, gives, terms } = vendor;
  const needed =
    vendor.setting === null ? [] : "and" in vendor ? [vendor.setting, vendor.and] : [vendor.setting];
  const missing = needed.filter((one) => config[one] === undefined);
  const lacks = missing.length > 0;
  const setting = needed.length === 0 ? null : (lacks ? missing : needed).join(" and ");
  const consent =
    "consent" in vendor && config[vendor.consent] === undefined ? `${vendor.consent}=accepted` : null;
  const state =
    consent !== null || config.PROVIDERS_OFF.includes(name) ? "off" : lacks ? "needs a key" : "on";
  const isPartlyConfigured = lacks && missing.length < needed.length;
  return {
    name,
    title,
    gives,
    terms,
    setting,
    isPartlyConfigured,
    state,
    consent,
    replacementUrl: config[urlSettingOf(name)] ?? null,
  };
}

/** What replaces a vendor or a broker is another market: its prices and connections never meet those of the real ones. */
export function marketId(config: Config): string {
  const replacements = PROVIDER_NAMES.flatMap((name) => {
    const url = config[urlSettingOf(name)];
    return url === undefined ? [] : [`${name}=${url}`];
  });
  const trading = config.PROVIDER_URL_ALPACA_TRADING;
  if (trading !== undefined) replacements.push(`alpaca_trading=${trading}`);
  if (replacements.length === 0) return "live";
  return `live-elsewhere-${createHash("sha256").update(replacements.join("\n")).digest("hex").slice(0, 12)}`;
}

/** The secrets in the settings that a vendor is called with. */
export const secretsOf = (config: Config): readonly string[] => {
  const names = PROVIDER_NAMES.flatMap((name) => {
    const { setting, and }: ProviderFacts = PROVIDERS[name];
    return [setting, and].filter((one) => one !== null && one !== undefined);
  });
  const told = [...names, "COINGECKO_KEY"].map((name) => config[name as keyof Config]);
  return told.filter((secret) => typeof secret === "string");
};

/** Writes every answer into a folder, without secrets. */
export function recordingInto(
  folder: string,
  {
    fetch,
    config,
    wrote,
  }: { readonly fetch: typeof globalThis.fetch; readonly config: Config; readonly wrote: () => void },
) {
  makeFolder(folder);
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    wrote();
  };
  return recordingFetch(fetch, write, secretsOf(config));
}
