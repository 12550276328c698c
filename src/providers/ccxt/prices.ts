import { z } from "zod";
import { PROVIDER_TIMEFRAMES, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { aggregate, baseOf } from "../../market/prices/aggregate.ts";
import { readBody } from "../shared/api.ts";
import { type ExchangeQuote, exchange, exchangeBars, FULL_HISTORY, tokenTicker } from "../shared/exchange.ts";
import { CountOrNull, EpochMs, Price, PriceOrNull } from "../shared/fields.ts";
import { rowsOf } from "../shared/rows.ts";
import { type CcxtSetup, type Exchange, failureOf, openExchange } from "./exchange.ts";

const MAX_PAGES = 12;
/** Page size if the exchange does not state one. */
const DEFAULT_PAGE_SIZE = 500;

const SpotMarket = z.object({
  symbol: z.string(),
  spot: z.literal(true),
  active: z.literal(true).nullish(),
});
/** Statistics of the last 24 hours. `timestamp` is not read, because it may be the exchange's current time. */
const Ticker = z.object({
  symbol: z.string(),
  open: PriceOrNull,
  high: PriceOrNull,
  low: PriceOrNull,
  baseVolume: CountOrNull,
});
const Trades = rowsOf(z.object({ symbol: z.string(), timestamp: EpochMs, price: Price }));
/** Start, open, high, low, close and volume of the base. */
const Rows = rowsOf(
  z
    .tuple([EpochMs, PriceOrNull, PriceOrNull, PriceOrNull, PriceOrNull, CountOrNull], z.unknown())
    .transform(
      ([time, open, high, low, close, volume]): ProviderBar => ({ time, open, high, low, close, volume }),
    ),
);

/**
 * Creates the provider for an exchange of the optional package ccxt: prices of tokens in dollars, or in USDT if there
 * is no dollar pair. The first request loads the package (up to 0.8 s and 95 MB) and the exchange's markets. If that
 * request is cancelled, loading continues for the next one. A quote takes two calls. Timeframes that the exchange lacks
 * are aggregated from shorter ones.
 * @see https://docs.ccxt.com
 */
export function ccxt(id: string, setup: CcxtSetup): PriceProvider {
  const venue = id.toUpperCase();
  let opening: Promise<Exchange> | undefined;
  const open = () => {
    opening ??= openExchange(id, setup).catch((cause: unknown) => {
      opening = undefined;
      throw cause;
    });
    return opening;
  };
  /** Runs `work` until the signal aborts; ccxt itself takes no signal. */
  const withExchange = <T>(signal: AbortSignal, work: (exchange: Exchange) => Promise<T>): Promise<T> =>
    abortable(signal, () =>
      open()
        .then(work)
        .catch((cause: unknown) => {
          throw failureOf(cause);
        }),
    );
  return exchange({
    name: `ccxt:${id}`,
    venue,
    // below the slowest exchange's limit; ccxt also limits the rate for each exchange
    budget: { calls: 60, perMs: 60_000, atOnce: 6 },
    reaches: FULL_HISTORY,
    pairOf: (instrument) => tokenTicker(instrument),
    quote: (base, signal) =>
      withExchange(signal, async (market) => {
        const { symbol, currency } = pairOn(market, base);
        const [trades, ticker] = await Promise.all([
          market.fetchTrades(symbol, undefined, 1).then((body) => readBody(Trades, body)),
          market.fetchTicker(symbol).then((body) => readBody(Ticker, body)),
        ]);
        if ([ticker, ...trades].some((row) => row.symbol !== symbol))
          throw new ProviderFailure("malformed", "response about another pair");
        return { ...quoteOf(trades, ticker), currency };
      }),
    bars: (base, request) =>
      withExchange(request.signal, async (market) => {
        const timeframe = baseOf(request.timeframe, reachesOf(market));
        if (timeframe === null) throw new ProviderFailure("unsupported", "no bars of this length");
        const { symbol, currency } = pairOn(market, base);
        const bars = await readBars(market, symbol, { ...alignToBars(request), timeframe });
        if (timeframe === request.timeframe) return { bars, currency };
        return { bars: aggregate(exchangeBars(bars, venue), request.timeframe, "crypto").bars, currency };
      }),
  });
}

function quoteOf(trades: z.infer<typeof Trades>, ticker: z.infer<typeof Ticker>): ExchangeQuote {
  const { open, high, low, baseVolume: volume } = ticker;
  const [newest] = trades.toSorted((a, b) => b.timestamp - a.timestamp);
  if (newest === undefined && volume !== 0) throw new ProviderFailure("unsupported", "no recent trade");
  return { price: newest?.price ?? 0, tradedAt: newest?.timestamp ?? 0, open, high, low, volume };
}

/** Returns the pair of a token in dollars, or in USDT if there is none. */
function pairOn({ markets = {} }: Exchange, base: string) {
  for (const currency of ["USD", "USDT"] as const) {
    const symbol = `${base}/${currency}`;
    if (SpotMarket.safeParse(markets[symbol]).data?.symbol === symbol) return { symbol, currency };
  }
  throw new ProviderFailure("unknown_symbol", "no such pair in dollars");
}

const reachesOf = ({ has, timeframes = {} }: Exchange) =>
  has.fetchOHLCV === true
    ? Object.fromEntries(
        PROVIDER_TIMEFRAMES.filter((length) => length in timeframes).map((length) => [
          length,
          Number.POSITIVE_INFINITY,
        ]),
      )
    : {};

/** Extends a request to bar boundaries, so that the shorter bars cover its first and last bar completely. */
function alignToBars({ timeframe, from, until, signal }: ProviderBarsRequest): ProviderBarsRequest {
  const length = TIMEFRAME_MS[timeframe];
  const startOf = (at: number) => Math.floor(at / length) * length;
  return { timeframe, from: Math.max(0, startOf(from)), until: startOf(until) + length - 1, signal };
}

/** Reads pages forward from the oldest bar. */
async function readBars(
  market: Exchange,
  symbol: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<readonly ProviderBar[]> {
  const length = TIMEFRAME_MS[timeframe];
  const page = pageSizeOf(market);
  const tooMany = () => new ProviderFailure("unsupported", `more bars than ${MAX_PAGES} calls return`);
  if ((until - from) / length > page * MAX_PAGES) throw tooMany();
  const bars: ProviderBar[] = [];
  let since = from;
  for (let call = 0; since <= until && call < MAX_PAGES; call += 1) {
    signal.throwIfAborted();
    const limit = Math.min(page, Math.ceil((until + 1 - since) / length));
    const rows = await readBody(Rows, await market.fetchOHLCV(symbol, timeframe, since, limit));
    bars.push(...rows.filter(({ time }) => time <= until));
    const newest = rows.reduce((last, { time }) => Math.max(last, time), 0);
    // an empty page may precede the token's first day
    since = Math.max(since + (rows.length === 0 ? limit * length : length), newest + length);
  }
  if (since <= until) throw tooMany();
  if (bars.length > 0 && !bars.some(({ time }) => time % length === 0))
    throw new ProviderFailure("unsupported", "bars that do not lie on the UTC grid");
  return bars;
}

/** Returns the maximum number of rows per call that ccxt states for the exchange. */
function pageSizeOf({ features }: Exchange): number {
  const known = features as { spot?: { fetchOHLCV?: { limit?: unknown } } } | undefined;
  const limit = known?.spot?.fetchOHLCV?.limit;
  return typeof limit === "number" && limit >= 1 ? Math.min(limit, 1000) : DEFAULT_PAGE_SIZE;
}

function abortable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new ProviderFailure("timeout", "request timed out", { cause: signal.reason }));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
