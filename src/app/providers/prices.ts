import type { PriceProvider } from "../../domain/providers/price-provider.ts";
import type { Guarded } from "../../market/failover/guard.ts";
import { alpaca } from "../../providers/alpaca/prices.ts";
import { binance } from "../../providers/binance/prices.ts";
import { cboe } from "../../providers/cboe/prices.ts";
import { ccxt } from "../../providers/ccxt/prices.ts";
import { coinbase } from "../../providers/coinbase/prices.ts";
import { coingecko } from "../../providers/coingecko/prices.ts";
import { finnhub } from "../../providers/finnhub/prices.ts";
import { kraken } from "../../providers/kraken/prices.ts";
import { massive } from "../../providers/massive/prices.ts";
import { nasdaq } from "../../providers/nasdaq/prices.ts";
import { okx } from "../../providers/okx/prices.ts";
import { tiingo } from "../../providers/tiingo/prices.ts";
import { yahoo } from "../../providers/yahoo/prices.ts";
import type { Config } from "../config.ts";
import type { ProviderName } from "../provider-table.ts";
import { type ProviderBuilder, type ProviderFactory, withKey, withPair } from "./provider-factory.ts";

/** Call order of providers: those with a key first, then the freshest and least limited. */
export const ORDER = {
  us: ["finnhub", "alpaca", "massive", "tiingo", "yahoo", "cboe", "nasdaq"],
  crypto: ["coinbase", "binance", "kraken", "okx", "coingecko", "yahoo"],
} as const satisfies Record<string, readonly ProviderName[]>;

type PriceProviderName = (typeof ORDER)["us" | "crypto"][number];

/** How each source is made of the settings; null where a setting it needs is not made. */
const MAKE: Readonly<
  Record<PriceProviderName, (config: Config, now: () => number) => ProviderBuilder<PriceProvider> | null>
> = {
  finnhub: ({ FINNHUB_TOKEN }) => withKey(FINNHUB_TOKEN, (token, setup) => finnhub({ ...setup, token })),
  alpaca: ({ ALPACA_KEY_ID, ALPACA_SECRET_KEY }, now) =>
    withPair([ALPACA_KEY_ID, ALPACA_SECRET_KEY], (keyId, secret, setup) =>
      alpaca({ ...setup, keyId, secret, now }),
    ),
  massive: ({ MASSIVE_KEY }) => withKey(MASSIVE_KEY, (key, setup) => massive({ ...setup, key })),
  tiingo: ({ TIINGO_TOKEN }) => withKey(TIINGO_TOKEN, (token, setup) => tiingo({ ...setup, token })),
  yahoo: () => yahoo,
  cboe: () => cboe,
  nasdaq: () => nasdaq,
  coinbase: () => coinbase,
  binance: () => binance,
  kraken: () => kraken,
  okx: () => okx,
  coingecko:
    ({ COINGECKO_KEY: demoKey }) =>
    (setup) =>
      coingecko({ ...setup, ...(demoKey !== undefined && { demoKey }) }),
};

/** What sources of prices tell, as an operator calls it. */
export const PRICES = "prices";

/** Price providers by market, in call order. */
export interface PriceChains {
  readonly us: readonly Guarded[];
  readonly crypto: readonly Guarded[];
  readonly all: readonly Guarded[];
}

/** Sources of prices that the settings switch on; one that serves both markets is one source with one budget. */
export function priceChains({ config, create: on, createCustom: own, now }: ProviderFactory): PriceChains {
  const made = new Map<PriceProviderName, readonly Guarded[]>();
  const guarded = (name: PriceProviderName): readonly Guarded[] => {
    const before = made.get(name) ?? on(name, MAKE[name](config, now), { content: PRICES });
    made.set(name, before);
    return before;
  };
  const us = ORDER.us.flatMap(guarded);
  const exchanges = config.CRYPTO_EXCHANGES.map((id) =>
    own(({ fetch, onResponse }) => ccxt(id, { fetch, onResponse }), { content: PRICES }),
  );
  const crypto = [...ORDER.crypto.flatMap(guarded), ...exchanges];
  return { us, crypto, all: [...new Set([...us, ...crypto])] };
}
