import { TIMEFRAME_MS, TIMEFRAMES } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { aggregate, baseOf } from "../../market/prices/aggregate.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { type CcxtSetup, type Exchange, openExchange } from "./exchange.ts";
import { failureOf } from "./failures.ts";
import { barOf, parseAs, quoteOf, Rows, SpotMarket, Ticker, Trades } from "./wire.ts";

/** Most calls of one question. */
const MAX_PAGES = 12;
/** Rows of one call where the exchange does not tell. */
const DEFAULT_PAGE_SIZE = 500;
const ALL = Number.POSITIVE_INFINITY;

/**
 * Any exchange that the optional package ccxt knows, as a source of tokens in dollars, or in USDT where it has no
 * such pair. Nothing is loaded before the first question; that one loads the package (up to 0.8 s and 95 MB) and the
 * exchange's list of markets, and where nobody waits so long the next question finds them. A quote takes two calls:
 * the newest trades, and the exchange's day, whose opening price, 24 hours old on most, is both `open` and
 * `previousClose`. Bars that the exchange lacks are made of shorter ones; volumes are units of the token on this
 * exchange alone.
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
  /** ccxt takes no signal: whoever leaves does not wait for it. */
  const asking = <T>(signal: AbortSignal, work: (exchange: Exchange) => Promise<T>): Promise<T> =>
    abortable(signal, () => open().then(work).catch(rethrowAsFailure));
  return {
    name: `ccxt:${id}`,
    serves: new Set(["crypto"]),
    // below the slowest exchange's limit; ccxt keeps the pace of each besides
    budget: { calls: 60, perMs: 60_000, atOnce: 6 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    reaches: { "1d": ALL, "4h": ALL, "1h": ALL, "30m": ALL, "15m": ALL, "5m": ALL },
    async latest(instrument, { signal }) {
      const base = baseNameOf(instrument);
      return await asking(signal, async (exchange) => {
        const symbol = spotOf(exchange, base);
        const [trades, ticker] = await Promise.all([
          exchange.fetchTrades(symbol, undefined, 1).then((said) => parseAs(Trades, said)),
          exchange.fetchTicker(symbol).then((said) => parseAs(Ticker, said)),
        ]);
        if ([ticker, ...trades].some((about) => about.symbol !== symbol))
          throw new ProviderFailure("malformed", "an answer about another pair");
        if (ticker.baseVolume === 0)
          throw new ProviderFailure("unknown_symbol", "it no longer trades the pair");
        const quote = quoteOf(trades, ticker, venue);
        if (quote === null) throw new ProviderFailure("unsupported", "it tells of no recent trade");
        return quote;
      });
    },
    async history(instrument, request) {
      const base = baseNameOf(instrument);
      return await asking(request.signal, async (exchange) => {
        const length = baseOf(request.timeframe, timeframesOf(exchange));
        if (length === null) throw new ProviderFailure("unsupported", "it has no bars of this length");
        const bars = await barsOf(exchange, spotOf(exchange, base), {
          ...alignToBars(request),
          timeframe: length,
        });
        const said = { bars, adjustment: "raw", hours: "regular", volumeScope: "one_venue", venue } as const;
        return length === request.timeframe ? said : aggregate(said, request.timeframe, "crypto");
      });
    },
  };
}

function baseNameOf(instrument: Instrument): string {
  const base = tickerOf(instrument);
  if (instrument.asset_class !== "crypto" || !/^[A-Z0-9]{1,15}$/.test(base))
    throw new ProviderFailure("unsupported", "it prices tokens alone");
  return base;
}

function spotOf({ markets = {} }: Exchange, base: string): string {
  for (const symbol of [`${base}/USD`, `${base}/USDT`])
    if (SpotMarket.safeParse(markets[symbol]).data?.symbol === symbol) return symbol;
  throw new ProviderFailure("unknown_symbol", "it has no such pair in dollars");
}

const timeframesOf = ({ has, timeframes = {} }: Exchange) =>
  has.fetchOHLCV === true
    ? Object.fromEntries(TIMEFRAMES.filter((length) => length in timeframes).map((length) => [length, ALL]))
    : {};

/** The question widened to whole bars, so that shorter ones make up all of the first and of the last. */
function alignToBars({ timeframe, from, until, signal }: ProviderBarsRequest): ProviderBarsRequest {
  const length = TIMEFRAME_MS[timeframe];
  const startOf = (at: number) => Math.floor(at / length) * length;
  return { timeframe, from: Math.max(0, startOf(from)), until: startOf(until) + length - 1, signal };
}

/** Pages forward from the oldest bar: exchanges answer with those that follow a time. */
async function barsOf(
  exchange: Exchange,
  symbol: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBar[]> {
  const length = TIMEFRAME_MS[timeframe];
  const page = pageSizeOf(exchange);
  if ((until - from) / length > page * MAX_PAGES)
    throw new ProviderFailure("unsupported", `more bars than ${MAX_PAGES} calls give`);
  const bars: ProviderBar[] = [];
  let since = from;
  for (let call = 0; since <= until && call < MAX_PAGES; call += 1) {
    signal.throwIfAborted();
    const limit = Math.min(page, Math.ceil((until + 1 - since) / length));
    const rows = parseAs(Rows, await exchange.fetchOHLCV(symbol, timeframe, since, limit)).map(barOf);
    bars.push(...rows.filter(({ time }) => time <= until));
    // an empty page may lie before the token's first day
    since = Math.max(since + (rows.length === 0 ? limit * length : length), newestOf(rows) + length);
  }
  if (since <= until) throw new ProviderFailure("unsupported", `more bars than ${MAX_PAGES} calls give`);
  if (bars.length > 0 && !bars.some(({ time }) => time % length === 0))
    throw new ProviderFailure("unsupported", "its bars of this length do not begin with UTC's");
  return bars;
}

const newestOf = (bars: readonly ProviderBar[]): number =>
  bars.reduce((last, { time }) => Math.max(last, time), 0);

/** Most rows of one call, as ccxt knows them. */
function pageSizeOf({ features }: Exchange): number {
  const told = features as { spot?: { fetchOHLCV?: { limit?: unknown } } } | undefined;
  const limit = told?.spot?.fetchOHLCV?.limit;
  return typeof limit === "number" && limit >= 1 ? Math.min(limit, 1000) : DEFAULT_PAGE_SIZE;
}

function rethrowAsFailure(cause: unknown): never {
  throw failureOf(cause);
}

function abortable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new ProviderFailure("timeout", "it took too long", { cause: signal.reason }));
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", leave));
  });
}
