import type { CloseProvider } from "../../domain/providers/close-provider.ts";
import type { Guarded } from "../../market/failover/guard.ts";
import { alpaca } from "../../providers/alpaca/prices.ts";
import { binance } from "../../providers/binance/prices.ts";
import { cboe } from "../../providers/cboe/prices.ts";
import { ccxt } from "../../providers/ccxt/prices.ts";
import { cnbc } from "../../providers/cnbc/closes.ts";
import { coinbase } from "../../providers/coinbase/prices.ts";
import { coingecko } from "../../providers/coingecko/prices.ts";
import { finnhub } from "../../providers/finnhub/prices.ts";
import { kraken } from "../../providers/kraken/prices.ts";
import { massive } from "../../providers/massive/prices.ts";
import { nasdaq } from "../../providers/nasdaq/prices.ts";
import { okx } from "../../providers/okx/prices.ts";
import { tiingo } from "../../providers/tiingo/prices.ts";
import { yahoo } from "../../providers/yahoo/prices.ts";
import type { ProviderName } from "../provider-table.ts";
import { PROBE_STOCK } from "./probe-stock.ts";
import type { ProviderFactory } from "./provider-factory.ts";

/** Call order of providers: those with a key first, then the freshest and least limited. */
export const ORDER = {
  us: ["finnhub", "alpaca", "massive", "tiingo", "yahoo", "cboe", "nasdaq"],
  crypto: ["coinbase", "binance", "kraken", "okx", "coingecko", "yahoo"],
} as const satisfies Record<string, readonly ProviderName[]>;

type PriceProviderName = (typeof ORDER)["us" | "crypto"][number];

/** Name of this kind of data, as shown to the operator. */
export const PRICES = "prices";
const OPTIONS = { content: PRICES };

/** Creates the enabled price providers by market, in call order; one that serves both markets has a single rate limit. */
export function priceChains({ config, create, createCustom }: ProviderFactory) {
  const { COINGECKO_KEY: demoKey } = config;
  const builders: Readonly<Record<PriceProviderName, () => readonly Guarded[]>> = {
    finnhub: () => create("finnhub", finnhub, OPTIONS),
    alpaca: () => create("alpaca", alpaca, OPTIONS),
    massive: () => create("massive", massive, OPTIONS),
    tiingo: () => create("tiingo", tiingo, OPTIONS),
    yahoo: () => create("yahoo", yahoo, OPTIONS),
    cboe: () => create("cboe", cboe, OPTIONS),
    nasdaq: () => create("nasdaq", nasdaq, OPTIONS),
    coinbase: () => create("coinbase", coinbase, OPTIONS),
    binance: () => create("binance", binance, OPTIONS),
    kraken: () => create("kraken", kraken, OPTIONS),
    okx: () => create("okx", okx, OPTIONS),
    coingecko: () => create("coingecko", (setup) => coingecko({ ...setup, demoKey }), OPTIONS),
  };
  const created = new Map<PriceProviderName, readonly Guarded[]>();
  const providersOf = (name: PriceProviderName) => {
    const providers = created.get(name) ?? builders[name]();
    created.set(name, providers);
    return providers;
  };
  const us = ORDER.us.flatMap(providersOf);
  const exchanges = config.CRYPTO_EXCHANGES.map((id) => createCustom((deps) => ccxt(id, deps), OPTIONS));
  const crypto = [...ORDER.crypto.flatMap(providersOf), ...exchanges];
  return { us, crypto, all: [...new Set([...us, ...crypto])] };
}

/** Creates the enabled providers of official closes, which only serve to check quotes. */
export const closeProviders = ({ create }: ProviderFactory): readonly Guarded<CloseProvider>[] =>
  create("cnbc", cnbc, {
    content: "closes",
    check: (provider, signal) => provider.call([PROBE_STOCK], { signal }),
  });

/**
 * Returns how to get a second provider of intraday bars of stocks; null if there are several. Without a key, only one
 * provider has them.
 */
export function intradayAdvice(us: readonly Guarded[]): string | null {
  const providers = us.filter(({ provider: { reaches } }) =>
    Object.keys(reaches).some((length) => length !== "1d"),
  );
  return providers.length > 1
    ? null
    : "A free Alpaca key (ALPACA_KEY_ID and ALPACA_SECRET_KEY) adds a second provider of intraday bars of stocks.";
}
