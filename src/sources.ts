import type { Config } from "./config.ts";
import { urlSettingOf } from "./config.ts";
import type { Lent } from "./market/live/guard.ts";
import type { Source } from "./market/live/source.ts";
import type { Lister } from "./market/refresh-directory.ts";
import type { TokenRow, UsRow } from "./ports/listing-book.ts";
import { alpaca } from "./providers/alpaca/source.ts";
import { binance } from "./providers/binance/source.ts";
import { cboe } from "./providers/cboe/source.ts";
import { ccxt } from "./providers/ccxt/source.ts";
import { coinbase } from "./providers/coinbase/source.ts";
import { coingeckoListings } from "./providers/coingecko/listings.ts";
import { coingecko } from "./providers/coingecko/source.ts";
import { finnhub } from "./providers/finnhub/source.ts";
import { kraken } from "./providers/kraken/source.ts";
import { massive } from "./providers/massive/source.ts";
import { nasdaq } from "./providers/nasdaq/source.ts";
import { nasdaqtraderListings } from "./providers/nasdaqtrader/listings.ts";
import { okx } from "./providers/okx/source.ts";
import { tiingo } from "./providers/tiingo/source.ts";
import type { SourceSetup } from "./providers/wire.ts";
import { yahoo } from "./providers/yahoo/source.ts";
import { VENDOR_NAMES, VENDORS, type VendorFacts, type VendorName } from "./vendors.ts";

/** The order in which sources are asked: those with a key before the others, then the freshest and least limited. */
export const ORDER = {
  us: ["finnhub", "alpaca", "massive", "tiingo", "yahoo", "cboe", "nasdaq"],
  crypto: ["coinbase", "binance", "kraken", "okx", "coingecko", "yahoo"],
} as const satisfies Record<string, readonly VendorName[]>;

type SourceName = (typeof ORDER)["us" | "crypto"][number];
type Make = (setup: SourceSetup) => Source;
interface Circumstances {
  readonly config: Config;
  readonly now: () => number;
}

/** How each source is made of the settings; null where a setting it needs is not made. */
const MAKE: Readonly<Record<SourceName, (circumstances: Circumstances) => Make | null>> = {
  finnhub: ({ config: { FINNHUB_TOKEN: token } }) =>
    token === undefined ? null : (setup) => finnhub({ ...setup, token }),
  alpaca: ({ config: { ALPACA_KEY_ID: keyId, ALPACA_SECRET_KEY: secret }, now }) =>
    keyId === undefined || secret === undefined ? null : (setup) => alpaca({ ...setup, keyId, secret, now }),
  massive: ({ config: { MASSIVE_KEY: key } }) =>
    key === undefined ? null : (setup) => massive({ ...setup, key }),
  tiingo: ({ config: { TIINGO_TOKEN: token } }) =>
    token === undefined ? null : (setup) => tiingo({ ...setup, token }),
  yahoo: () => yahoo,
  cboe: () => cboe,
  nasdaq: () => nasdaq,
  coinbase: () => coinbase,
  binance: () => binance,
  kraken: () => kraken,
  okx: () => okx,
  coingecko:
    ({ config: { COINGECKO_KEY: demoKey } }) =>
    (setup) =>
      coingecko({ ...setup, ...(demoKey !== undefined && { demoKey }) }),
};

/** How the source of a vendor is made over what it is lent; null where it is switched off or lacks its key. */
export function buildOf(
  name: SourceName,
  config: Config,
  now: () => number,
): ((lent: Pick<Lent, "fetch" | "heard">) => Source) | null {
  const make = config.PROVIDERS_OFF.includes(name) ? null : MAKE[name]({ config, now });
  return make === null
    ? null
    : ({ fetch, heard }) => make({ fetch, heard, baseUrl: config[urlSettingOf(name)] });
}

/** Exchanges asked through ccxt, in the order of the setting. */
export const exchangesOf = ({
  CRYPTO_EXCHANGES,
}: Config): readonly ((lent: Pick<Lent, "fetch" | "heard">) => Source)[] =>
  CRYPTO_EXCHANGES.map(
    (id) =>
      ({ fetch, heard }) =>
        ccxt(id, { fetch, heard }),
  );

/** Who lists what there is; null where it is switched off. */
export function listersOf(
  config: Config,
  fetch: typeof globalThis.fetch,
): { readonly us: Lister<UsRow> | null; readonly tokens: Lister<TokenRow> | null } {
  const isOff = (name: VendorName) => config.PROVIDERS_OFF.includes(name);
  const demoKey = config.COINGECKO_KEY;
  return {
    us: isOff("nasdaqtrader")
      ? null
      : nasdaqtraderListings({ fetch, baseUrl: config.PROVIDER_URL_NASDAQTRADER }),
    tokens: isOff("coingecko")
      ? null
      : coingeckoListings({
          fetch,
          baseUrl: config.PROVIDER_URL_COINGECKO,
          ...(demoKey !== undefined && { demoKey }),
        }),
  };
}

/** The secrets in the settings that a vendor is called with. */
export const secretsOf = (config: Config): readonly string[] => {
  const names = VENDOR_NAMES.flatMap((name) => {
    const { setting, and }: VendorFacts = VENDORS[name];
    return [setting, and].filter((one) => one !== null && one !== undefined);
  });
  const told = [...names, "COINGECKO_KEY"].map((name) => config[name as keyof Config]);
  return told.filter((secret) => typeof secret === "string");
};
