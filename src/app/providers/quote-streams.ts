import type { Clock, Log } from "../../domain/ports.ts";
import type { QuoteStreamProvider } from "../../domain/providers/quote-stream.ts";
import { BoundedWebSocket } from "../../lib/websocket.ts";
import { createQuoteHub, type QuoteHub, type QuoteHubOptions } from "../../market/prices/quote-hub.ts";
import { alpacaStream } from "../../providers/alpaca/stream.ts";
import { binanceStream } from "../../providers/binance/stream.ts";
import { coinbaseStream } from "../../providers/coinbase/stream.ts";
import { krakenStream } from "../../providers/kraken/stream.ts";
import type { Config } from "../config.ts";
import type { ProviderName } from "../provider-table.ts";
import { urlSettingOf } from "../setting-table.ts";

type Build = (config: Config, setup: { readonly baseUrl: string | undefined }) => QuoteStreamProvider;

/** Streams in order of preference: prices in dollars before those in USDT. */
const STREAMS = {
  alpaca: ({ ALPACA_KEY_ID: key = "", ALPACA_SECRET_KEY: secret = "" }, setup) =>
    alpacaStream({ ...setup, key, secret }),
  coinbase: (_, setup) => coinbaseStream(setup),
  kraken: (_, setup) => krakenStream(setup),
  binance: (_, setup) => binanceStream(setup),
} as const satisfies Partial<Record<ProviderName, Build>>;

export interface QuoteStreamsDeps extends Required<Pick<QuoteHubOptions, "peers" | "find" | "witness">> {
  /** Names of the price providers that are switched on. */
  readonly enabled: ReadonlySet<string>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the streams of the enabled price providers. */
export function createQuoteStreams(config: Config, { enabled, ...deps }: QuoteStreamsDeps): QuoteHub {
  const names = (Object.keys(STREAMS) as (keyof typeof STREAMS)[]).filter((name) => enabled.has(name));
  const providers = names.map((name) => {
    const build: Build = STREAMS[name];
    return build(config, { baseUrl: config[urlSettingOf(name)] });
  });
  return createQuoteHub({ ...deps, providers, WebSocket: BoundedWebSocket });
}
