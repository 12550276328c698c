import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { Amount, PaperEquity } from "../domain/trading/trading.ts";
import { isAllowListEntry } from "../transports/outbound/allow-list-entry.ts";
import { BACKUP_SETTINGS } from "./backup-settings.ts";
import { DATABASE_SETTINGS } from "./database-settings.ts";
import { MAIL_SETTINGS } from "./mail-settings.ts";
import {
  type PlanOf,
  PROVIDER_NAMES,
  PROVIDERS,
  type ProviderFacts,
  type ProviderName,
} from "./provider-table.ts";
import {
  cacheMegabytes,
  contact,
  flag,
  HIDDEN,
  httpUrl,
  isPrivateConnection,
  LOG_SETTINGS,
  list,
  lowerCaseList,
  oneOf,
  origins,
  orList,
  PATH,
  plainUrl,
  port,
  secret,
  THREADS,
} from "./setting-values.ts";
import { SIGN_IN_SETTINGS } from "./sign-in-settings.ts";

type UrlSetting = `PROVIDER_URL_${Uppercase<ProviderName>}`;
/** Name of the setting that replaces the URL of a provider. */
export const urlSettingOf = (provider: ProviderName): UrlSetting =>
  `PROVIDER_URL_${provider.toUpperCase() as Uppercase<ProviderName>}`;
const PROVIDER_URLS = Object.fromEntries(
  PROVIDER_NAMES.map((name) => [
    urlSettingOf(name),
    plainUrl
      .optional()
      .describe(`Replaces the URL of ${PROVIDERS[name].title}, for example with a replay server`),
  ]),
) as Record<UrlSetting, z.ZodOptional<typeof plainUrl>>;
type ProviderEntry = (typeof PROVIDERS)[ProviderName];
type KeySetting =
  | Extract<ProviderEntry["setting"], string>
  | Extract<ProviderEntry, { readonly secondSetting: string }>["secondSetting"];
/** Keys of the providers, from their entries. */
const PROVIDER_KEYS = Object.fromEntries(
  PROVIDER_NAMES.flatMap((name) => {
    const { title, gives, setting, secondSetting }: ProviderFacts = PROVIDERS[name];
    if (setting === null) return [];
    const key = [
      setting,
      secret.describe(
        `Key of ${title}: ${gives}${secondSetting === undefined ? "" : `; with ${secondSetting}`}`,
      ),
    ];
    return secondSetting === undefined
      ? [key]
      : [key, [secondSetting, secret.describe(`Secret key of ${title}`)]];
  }),
) as Record<KeySetting, typeof secret>;

type PlannedName = { [N in ProviderName]: PlanOf<N> extends never ? never : N }[ProviderName];
type PlanSettings = {
  [N in PlannedName as (typeof PROVIDERS)[N]["planSetting"]]: z.ZodDefault<z.ZodType<PlanOf<N>>>;
};
/** Plans of the providers' accounts, from their entries. */
const PROVIDER_PLANS = Object.fromEntries(
  PROVIDER_NAMES.flatMap((name) => {
    const { title, planSetting, plans }: ProviderFacts = PROVIDERS[name];
    if (planSetting === undefined || plans === undefined) return [];
    const about = Object.entries(plans).map(([plan, facts]) => `${plan} (${facts.about})`);
    return [[planSetting, oneOf(Object.keys(plans)).describe(`Plan of ${title}: ${orList(about, "; ")}`)]];
  }),
) as unknown as PlanSettings;

/**
 * Every setting with its parser and purpose. The keys are the names of the environment variables; `config.toml` has them
 * in lower case, and `serve` takes them as options. A `hidden` value is a secret; a `path` is relative to where it is set.
 */
export const SETTINGS = {
  PORT: port.default(8787).describe("Port of the HTTP server"),
  HOST: z.string().min(1).default("127.0.0.1").describe("Address the HTTP server listens on"),
  ...SIGN_IN_SETTINGS,
  PUBLIC_URL: httpUrl.optional().describe("URL at which clients reach the server. Default: HOST:PORT"),
  ALLOWED_HOSTS: z
    .string()
    .transform(list)
    .default([])
    .describe("Additional host names accepted in the Host header, comma-separated"),
  CORS_ORIGINS: origins.describe(
    "Origins of web pages that may call the API with a key, comma-separated, such as https://app.example.com; *: all. Default: none",
  ),
  TRUST_PROXY: flag
    .default(false)
    .describe("1: take the client address from the last X-Forwarded-For hop; 0: from the connection"),
  COMPUTE_THREADS: z.coerce
    .number(THREADS)
    .int(THREADS)
    .min(0, THREADS)
    .max(64, THREADS)
    .optional()
    .describe(
      "Threads that compute signals and backtests; 0: none. Default: the number of cores less one, at least 1",
    ),
  CACHE_MB: cacheMegabytes,
  DATA_DIR: z
    .string()
    .min(1)
    .default(join(homedir(), ".market-signal"))
    .transform((path) => resolve(path))
    .describe("Folder for all stored data: settings, keys, trades, results and backups"),
  MARKET_DATA: z
    .string()
    .regex(/^(sample|live|files:.+)$/, "must be sample, live or files:<dir>")
    .default("sample")
    .meta(PATH)
    .describe(
      "sample: a simulated market; live: real prices from public providers; files:<dir>: OHLCV CSV files",
    ),
  PROVIDERS: oneOf(["licensed", "public", "all"], "public").describe(
    "Providers that are called. licensed: those whose terms do not restrict automated use; public: the others too, each named at the start; all: as public, with the terms that restrict automated use accepted. A provider that has a setting for its terms needs that setting as well",
  ),
  PROVIDERS_OFF: z
    .string()
    .transform(lowerCaseList)
    .refine(
      (names) => names.every((name) => name in PROVIDERS),
      `must be names among ${PROVIDER_NAMES.join(", ")}, separated by commas`,
    )
    .default([])
    .describe("Providers that are never called, comma-separated"),
  ...PROVIDER_KEYS,
  ...PROVIDER_PLANS,
  TRADIER_TOKEN: secret.describe(
    "Token of Tradier: option chains. For a sandbox token, set PROVIDER_URL_TRADIER=https://sandbox.tradier.com",
  ),
  SEC_CONTACT: contact.describe("Contact sent to the SEC with each request: Company name@example.com"),
  KADOA_TERMS: z
    .enum(["accepted"], "must be accepted, or omitted")
    .optional()
    .describe(
      "accepted: use Kadoa's data set of disclosures of both chambers, which is for research and education only",
    ),
  OPTION_TAPE: z
    .string()
    .min(1)
    .optional()
    .meta(PATH)
    .describe(
      "CSV file of option trades: executed_at,contract,price,size and, where known, bid,ask,sweep,floor,multileg,trades,id",
    ),
  COINGECKO_KEY: secret.describe("Demo key of CoinGecko: raises its rate limit"),
  CRYPTO_EXCHANGES: z
    .string()
    .transform(lowerCaseList)
    .refine(
      (names) => names.every((name) => /^[a-z0-9]{2,30}$/.test(name)),
      "must be names of exchanges as ccxt writes them, separated by commas",
    )
    .default([])
    .describe("Additional exchanges for crypto prices through the package ccxt, comma-separated"),
  ...PROVIDER_URLS,
  PROVIDER_URL_ALPACA_TRADING: plainUrl
    .refine(isPrivateConnection, "must be https unless it is on this machine: keys are sent there")
    .optional()
    .describe("Replaces the URLs of Alpaca's paper and live accounts, for example with a replay server"),
  INTERPRET_LLM: plainUrl
    .optional()
    .describe(
      "Chat completions endpoint of a language model for questions in which the rules find no intent or no symbol; requires INTERPRET_LLM_MODEL",
    ),
  INTERPRET_LLM_KEY: secret.describe("Key of that endpoint, if it requires one"),
  INTERPRET_LLM_MODEL: z.string().trim().min(1).max(120).optional().describe("Name of the model there"),
  DEMO_SYMBOL: z
    .string()
    .min(1)
    .optional()
    .describe("Symbol of the public demo. Default: the market's first"),
  ...LOG_SETTINGS,
  PLAN_SCHEDULE: z
    .enum(["A", "B"], "must be A or B")
    .default("A")
    .describe("Schedule of rate limits: A or B"),
  METRICS_TOKEN: z
    .string()
    .min(16, "must be at least 16 characters")
    .optional()
    .meta(HIDDEN)
    .describe("Bearer token required for /metrics. Default: only requests from this machine may read it"),
  ...DATABASE_SETTINGS,
  REDIS_URL: z
    .string()
    .min(1)
    .optional()
    .meta(HIDDEN)
    .describe("Not used by this version: quotas are stored in DATA_DIR"),
  TRADING_LIVE: flag
    .default(false)
    .describe("1: live orders are sent after confirmation by a person of the account; 0: paper trading only"),
  TRADING_RISK_PCT: z
    .string()
    .trim()
    .refine(
      (text) => Amount.safeParse(text).success && Number(text) >= 0 && Number(text) <= 1,
      "must be a number from 0 to 1, such as 0.5",
    )
    .default("0.5")
    .describe(
      "Percent of equity that a trade without a requested size risks at its stop, on paper and live; 0: it gets no ticket",
    ),
  PAPER_EQUITY: PaperEquity.default("100000").describe(
    "Cash in US dollars with which a new paper account starts; open accounts keep theirs",
  ),
  CHECK_RECORD: z
    .enum(["on", "off"], "must be on or off")
    .default("on")
    .describe(
      "on: check_order stores the levels and odds of an order, nothing of the account, to measure the odds; off: it stores nothing",
    ),
  WEBHOOKS: z
    .enum(["on", "off"], "must be on or off")
    .default("on")
    .describe("on: alerts are sent to the URLs that clients choose; off: no alert is sent"),
  WEBHOOK_ALLOW: z
    .string()
    .transform(lowerCaseList)
    .refine(
      (entries) => entries.every(isAllowListEntry),
      "must be host names, addresses or networks such as 192.168.1.0/24, without a port, separated by commas",
    )
    .default([])
    .describe("Receivers of alerts in your own network, which may use http, comma-separated"),
  ...MAIL_SETTINGS,
  MASTER_KEY: z
    .string()
    .trim()
    .regex(/^([0-9a-fA-F]{64}|[\w+/-]{43}=?)$/, "must be 32 bytes in base64 or hex")
    .optional()
    .meta(HIDDEN)
    .describe(
      "Key that encrypts broker credentials, secrets of alerts, and the keys of audit log and receipts. Default: DATA_DIR/master.key, created when first needed",
    ),
  MASTER_KEY_FILE: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional()
    .meta(PATH)
    .describe("File that holds the master key; use it instead of MASTER_KEY"),
  ...BACKUP_SETTINGS,
} as const;
export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Returns true for a setting whose value is never shown: a key, or a value that may hold a password. */
export const isSecret = (name: SettingName): boolean => SETTINGS[name].meta()?.hidden === true;

/** Makes the path in the text of a setting absolute; `folder` is what a relative one is relative to. */
export const withAbsolutePath = (name: SettingName, text: string, folder: string): string =>
  SETTINGS[name].meta()?.path !== true
    ? text
    : name === "MARKET_DATA"
      ? text.replace(/^files:(.+)$/s, (_, path: string) => `files:${resolve(folder, path)}`)
      : resolve(folder, text);

/** Returns false for a setting that this version does not use, so that a change of it needs no restart. */
export const isUsed = (name: SettingName): boolean => !SETTINGS[name].description?.startsWith("Not used");

/** Returns why a setting is not stored in the data folder; null for one that may be. */
export function notStoredReason(name: SettingName): string | null {
  if (name === "DATA_DIR") return "config.toml is stored in that folder: set DATA_DIR in the environment";
  if (name === "MASTER_KEY")
    return "it decrypts the vault in that folder: set MASTER_KEY in the environment, or MASTER_KEY_FILE";
  if (name === "DATABASE_URL" || name === "DATABASE_DIRECT_URL")
    return `the vault is in the database that it names: set ${name} in the environment`;
  if (name === "BACKUP_PASSPHRASE")
    return "it protects the backup of the keys of the vault: set BACKUP_PASSPHRASE in the environment, or type it at the prompt";
  return null;
}
