import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../lib/make-folder.ts";
import { recordingFetch } from "../../providers/shared/recording-fetch.ts";
import type { ProviderStatus } from "../../transports/cli/host.ts";
import type { Config } from "../config.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts, type ProviderName } from "../provider-table.ts";
import { urlSettingOf } from "../setting-table.ts";
import { BROKER_CONNECTORS } from "./brokers.ts";
import { termsOf } from "./provider-terms.ts";
import { offSettingOf } from "./switched-off.ts";

/** Returns the facts of a provider with the state of its settings. */
export function providerStatusOf(name: ProviderName, config: Config): ProviderStatus {
  const {
    title,
    gives,
    outage,
    setting,
    secondSetting,
    consent: consentSetting,
    forbidsAutomation = false,
  }: ProviderFacts = PROVIDERS[name];
  const isSet = (required: string) => config[required as keyof Config] !== undefined;
  const required = [setting, secondSetting].filter((one) => one !== null && one !== undefined);
  const missing = required.filter((one) => !isSet(one));
  const needsKey = missing.length > 0;
  const consent = consentSetting === undefined || isSet(consentSetting) ? null : `${consentSetting}=accepted`;
  const offBy = offSettingOf(name, config);
  const isOff = consent !== null || offBy !== null;
  return {
    name,
    title,
    gives,
    outage: outage ?? null,
    terms: termsOf(name),
    forbidsAutomation,
    offBy,
    setting: required.length === 0 ? null : (needsKey ? missing : required).join(" and "),
    isPartlyConfigured: needsKey && missing.length < required.length,
    state: isOff ? "off" : needsKey ? "needs a key" : "on",
    consent,
    replacementUrl: config[urlSettingOf(name)] ?? null,
  };
}

/**
 * Returns the market id. Each set of replaced providers and brokers has its own id, so that its data is never mixed
 * with real data.
 */
export function marketId(config: Config): string {
  const settings = [
    ...PROVIDER_NAMES.map((name) => [name, urlSettingOf(name)] as const),
    ...Object.entries(BROKER_CONNECTORS).map(
      ([name, { urlSetting }]) => [`${name}_trading`, urlSetting] as const,
    ),
  ];
  const replacements = settings.flatMap(([name, setting]) => {
    const url = setting === null ? undefined : config[setting];
    return url === undefined ? [] : [`${name}=${url}`];
  });
  if (replacements.length === 0) return "live";
  return `live-elsewhere-${createHash("sha256").update(replacements.join("\n")).digest("hex").slice(0, 12)}`;
}

/** Returns the secrets in the settings that requests to providers carry. */
export const secretsOf = (config: Config): readonly string[] => {
  const names = PROVIDER_NAMES.flatMap((name) => {
    const { setting, secondSetting }: ProviderFacts = PROVIDERS[name];
    return [setting, secondSetting];
  });
  const values = [...names, "COINGECKO_KEY"].map((name) => config[name as keyof Config]);
  return values.filter((secret) => typeof secret === "string");
};

/** Returns a fetch that records every response into a folder, without secrets. */
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
