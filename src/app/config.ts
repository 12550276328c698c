import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { SetupError } from "../lib/setup-error.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderName } from "./provider-table.ts";

const HIDDEN = { hidden: true };
const PORTS = "must be a port number, 0 to 65535";
const flag = z
  .enum(["0", "1", "true", "false"], "must be 1 or 0")
  .transform((text) => text === "1" || text === "true");

const list = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
const secret = z
  .string()
  .trim()
  .min(8, "must be at least 8 characters")
  .regex(/^[!-~]*$/, "must be printable ASCII without spaces")
  .optional()
  .meta(HIDDEN);

/** Sent with every call, as its addressee asks. */
const contact = z
  .string()
  .trim()
  .max(120)
  .regex(/^[ -~]+ [!-~]+@[!-~]+\.[!-~]+$/, "must be a name and an address: Company name@example.com")
  .optional()
  .meta(HIDDEN);

type UrlSetting = `PROVIDER_URL_${Uppercase<ProviderName>}`;
/** The setting that puts another address in a vendor's place. */
export const urlSettingOf = (vendor: ProviderName): UrlSetting =>
  `PROVIDER_URL_${vendor.toUpperCase() as Uppercase<ProviderName>}`;
/** An address alone: whatever else stands in it would be shown, or lost. */
function isPlain(text: string): boolean {
  if (!URL.canParse(text)) return true; // that it is none was said already
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === "" && !/[?#]/.test(text);
}
/** Whether nobody between here and there reads along. */
function isGuarded(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
}
const providerUrl = (vendor: ProviderName) =>
  z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .refine(isPlain, "must be without user, password, query and fragment: keys have settings of their own")
    .optional()
    .describe(`Another address in the place of ${PROVIDERS[vendor].title}, such as a replay`);
const PROVIDER_URLS = Object.fromEntries(
  PROVIDER_NAMES.map((vendor) => [urlSettingOf(vendor), providerUrl(vendor)]),
) as Record<UrlSetting, ReturnType<typeof providerUrl>>;

/** Every setting there is: how it is read, what it is for. The keys are the names of the environment variables. */
const SETTINGS = {
  PORT: z.coerce
    .number(PORTS)
    .int(PORTS)
    .min(0, PORTS)
    .max(65_535, PORTS)
    .default(8787)
    .describe("Port of the HTTP server"),
  HOST: z.string().min(1).default("127.0.0.1").describe("Address the HTTP server listens on"),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe("Where clients reach the server, when that is not HOST:PORT"),
  ALLOWED_HOSTS: z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((host) => host.trim())
        .filter((host) => host !== ""),
    )
    .default([])
    .describe("Additional host names accepted in the Host header, comma-separated"),
  TRUST_PROXY: flag
    .default(false)
    .describe("1: take the client address from the last X-Forwarded-For hop; 0: from the connection"),
  DATA_DIR: z
    .string()
    .min(1)
    .default(join(homedir(), ".market-signal"))
    .transform((path) => resolve(path))
    .describe("Folder for keys, quotas and results"),
  MARKET_DATA: z
    .string()
    .regex(/^(sample|live|files:.+)$/, "must be sample, live or files:<dir>")
    .default("sample")
    .describe(
      "sample: a simulated market; live: real prices of public sources; files:<dir>: OHLCV CSV files",
    ),
  PROVIDERS_OFF: z
    .string()
    .transform(list)
    .refine(
      (names) => names.every((name) => name in PROVIDERS),
      `must be names among ${PROVIDER_NAMES.join(", ")}, separated by commas`,
    )
    .default([])
    .describe("Providers that are never called, comma-separated"),
  FINNHUB_TOKEN: secret.describe("Key of Finnhub: real-time US quotes"),
  ALPACA_KEY_ID: secret.describe("Key id of Alpaca market data; with ALPACA_SECRET_KEY"),
  ALPACA_SECRET_KEY: secret.describe("Secret key of Alpaca market data"),
  TIINGO_TOKEN: secret.describe("Key of Tiingo: US end-of-day and intraday bars"),
  MASSIVE_KEY: secret.describe("Key of Massive, formerly Polygon: US bars"),
  TRADIER_TOKEN: secret.describe(
    "Token of Tradier: option chains; one of its sandbox with PROVIDER_URL_TRADIER=https://sandbox.tradier.com",
  ),
  UNUSUAL_WHALES_TOKEN: secret.describe("Token of Unusual Whales: off-exchange prints, option trades"),
  ALPHAVANTAGE_KEY: secret.describe("Key of Alpha Vantage: news, EPS against estimates"),
  SEC_CONTACT: contact.describe("Contact sent to the SEC with each request: Company name@example.com"),
  FMP_KEY: secret.describe("Key of Financial Modeling Prep: disclosures of both chambers of Congress"),
  KADOA_TERMS: z
    .enum(["accepted"], "must be accepted, or left out")
    .optional()
    .describe(
      "accepted: use the data set of disclosures of both chambers that is for research and educational purposes alone",
    ),
  OPTION_TAPE: z
    .string()
    .min(1)
    .optional()
    .describe(
      "CSV file of option trades: executed_at,contract,price,size and, where known, bid,ask,sweep,floor,multileg,trades,id",
    ),
  COINGECKO_KEY: secret.describe("Demo key of CoinGecko: a higher limit"),
  CRYPTO_EXCHANGES: z
    .string()
    .transform(list)
    .refine(
      (names) => names.every((name) => /^[a-z0-9]{2,30}$/.test(name)),
      "must be names of exchanges as ccxt writes them, separated by commas",
    )
    .default([])
    .describe("Further exchanges asked for crypto through the package ccxt, comma-separated"),
  ...PROVIDER_URLS,
  PROVIDER_URL_ALPACA_TRADING: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .refine(isPlain, "must be without user, password, query and fragment")
    .refine(isGuarded, "must be https where it is not on this machine: keys are sent there")
    .optional()
    .describe("Another address in the place of Alpaca's paper and live accounts alike, such as a replay"),
  INTERPRET_LLM: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .refine(isPlain, "must be without user, password, query and fragment: the key is INTERPRET_LLM_KEY")
    .optional()
    .describe(
      "Chat completions endpoint of a language model that is shown questions in which the rules find no intent or no name; with INTERPRET_LLM_MODEL",
    ),
  INTERPRET_LLM_KEY: secret.describe("Key of that endpoint, if it requires one"),
  INTERPRET_LLM_MODEL: z.string().trim().min(1).max(120).optional().describe("Name of the model there"),
  DEMO_SYMBOL: z
    .string()
    .min(1)
    .optional()
    .describe("Symbol the public demo shows; the market's first when unset"),
  LOG_LEVEL: z
    .enum(["silent", "error", "warn", "info", "debug"], "must be silent, error, warn, info or debug")
    .default("info")
    .describe("Minimum level of the log lines on stderr: silent, error, warn, info or debug"),
  PLAN_SCHEDULE: z
    .enum(["A", "B"], "must be A or B")
    .default("A")
    .describe("Schedule of rate limits: A or B"),
  METRICS_TOKEN: z
    .string()
    .min(16, "must be at least 16 characters")
    .optional()
    .meta(HIDDEN)
    .describe("Bearer token that opens /metrics; only loopback may read it when unset"),
  DATABASE_URL: z
    .string()
    .min(1)
    .optional()
    .meta(HIDDEN)
    .describe("Not used by this version: data is kept in SQLite in DATA_DIR"),
  REDIS_URL: z
    .string()
    .min(1)
    .optional()
    .meta(HIDDEN)
    .describe("Not used by this version: quotas are kept in DATA_DIR"),
  TRADING_LIVE: flag
    .default(false)
    .describe("1: orders of live accounts are sent, each confirmed by its owner; 0: only paper is traded"),
  WEBHOOKS: z
    .enum(["on", "off"], "must be on or off")
    .default("on")
    .describe("on: alerts are sent to addresses that clients choose; off: to none"),
  WEBHOOK_ALLOW: z
    .string()
    .transform(list)
    .refine(
      (entries) => entries.every((entry) => /^[a-z0-9:][a-z0-9.:_-]*(\/\d{1,3})?$/.test(entry)),
      "must be host names, addresses or networks such as 192.168.1.0/24, separated by commas",
    )
    .default([])
    .describe("Receivers of alerts in your own network, which may speak http, comma-separated"),
  MASTER_KEY: z
    .string()
    .trim()
    .regex(/^([0-9a-fA-F]{64}|[\w+/-]{43}=?)$/, "must be 32 bytes in base64 or hex")
    .optional()
    .meta(HIDDEN)
    .describe(
      "Key that seals broker credentials, addresses and tokens of alerts, and the keys of audit log and receipts; DATA_DIR/master.key, made when first needed, when unset",
    ),
  MASTER_KEY_FILE: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional()
    .describe("File that holds that key, in place of MASTER_KEY"),
} as const;
/** Settings never shown: keys, and values that may hold a password. */
const SECRET: ReadonlySet<string> = new Set(
  Object.entries(SETTINGS).flatMap(([name, schema]) => (schema.meta()?.hidden === true ? [name] : [])),
);
const Environment = z
  .object(SETTINGS)
  .refine(({ MASTER_KEY, MASTER_KEY_FILE }) => MASTER_KEY === undefined || MASTER_KEY_FILE === undefined, {
    path: ["MASTER_KEY"],
    error: "must be left out where MASTER_KEY_FILE is set",
  });

export type Config = z.output<typeof Environment>;

/** The whole environment, read once. No other file touches process.env. Throws SetupError with one line that names each bad setting. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const present = Object.fromEntries(
    Object.keys(SETTINGS).flatMap((name) => (isPresent(env[name]) ? [[name, env[name]]] : [])),
  );
  const read = Environment.safeParse(present);
  if (read.success) return read.data;
  throw new SetupError(
    read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") +
      ". `market-signal config` lists the settings.",
  );
}

/** Blank is as good as absent. */
const isPresent = (text: string | undefined): boolean => text !== undefined && text.trim() !== "";

export interface Setting {
  readonly name: string;
  readonly value: string | null;
  readonly source: "environment" | "default";
  readonly purpose: string;
  /** Required form if the value is invalid; the value is then the text as set. */
  readonly fault?: string;
}

/** The settings as they stand, the bad ones with what they must be, secrets as `set`; what `market-signal config` shows. */
export function describeConfig(env: NodeJS.ProcessEnv = process.env): readonly Setting[] {
  return Object.entries(SETTINGS).map(([name, schema]) => {
    const given = isPresent(env[name]) ? env[name] : undefined;
    const read = schema.safeParse(given);
    const value = read.success ? read.data : given;
    const hidden = SECRET.has(name) || (!read.success && name.startsWith("PROVIDER_URL_"));
    const shown = value === undefined ? null : hidden ? "set" : String(value);
    return {
      name,
      value: shown === "" ? null : shown,
      source: given === undefined ? "default" : "environment",
      purpose: schema.description ?? "",
      ...(!read.success && { fault: read.error.issues.map(({ message }) => message).join("; ") }),
    };
  });
}
