import { z } from "zod";
import type { ProviderTimeframe } from "../../domain/market/bars.ts";
import type { CorporateActions } from "../../domain/market/corporate-actions.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { type TryAlternates, tryAlternates, tryHosts } from "../shared/alternates.ts";
import { readableRows, readBody } from "../shared/api.ts";
import { EpochSeconds, Price } from "../shared/fields.ts";
import {
  createHttpClient,
  type HttpClient,
  type HttpRequest,
  type ProviderSetup,
} from "../shared/http-client.ts";
import { columnOf, namedValues } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";

import tokens from "./tokens.json" with { type: "json" };

/** CoinMarketCap ids of tokens whose plain ticker means a different coin at Yahoo. Ids are unambiguous. */
const NUMBERED: ReadonlyMap<string, number> = new Map(Object.entries(tokens.numbered));
/** Tokens that Yahoo lists under their plain ticker. */
const PLAIN: ReadonlySet<string> = new Set(tokens.plain.flatMap((line) => line.split(" ")));

/** Returns Yahoo's name of a token in dollars: `BTC-USD`, `UNI7083-USD`; null if the name is not known for certain. */
export function tokenName(ticker: string): string | null {
  const number = NUMBERED.get(ticker);
  if (number !== undefined) return `${ticker}${number}-USD`;
  return PLAIN.has(ticker) ? `${ticker}-USD` : null;
}

/** Column of a chart; the value of a slot without a trade, and one that cannot be read, is null. */
const Slots = columnOf(z.number().nonnegative());

const Meta = z.object({
  symbol: z.string(),
  currency: z.string(),
  instrumentType: z.string(),
  regularMarketPrice: Price,
  regularMarketTime: EpochSeconds,
  regularMarketDayHigh: Price.nullish(),
  regularMarketDayLow: Price.nullish(),
  /** Volume in shares; for crypto, the turnover of 24 hours in dollars. */
  regularMarketVolume: z.number().nonnegative().nullish(),
  /** Close before the session of the newest regular trade; only in intraday charts. */
  previousClose: Price.nullish(),
  /** Close before the first session of the chart. */
  chartPreviousClose: Price.nullish(),
  /** Code of the exchange, `CGI` for indices of Cboe. */
  exchangeName: z.string().nullish(),
  /** Length of the bars, which may differ from the requested one. */
  dataGranularity: z.string().nullish(),
});

const Columns = z.object({
  open: Slots.optional(),
  high: Slots.optional(),
  low: Slots.optional(),
  close: Slots.optional(),
  volume: Slots.optional(),
});

/** Splits and dividends by the time at which the first session without them opens. Unreadable ones are dropped. */
const Events = z.object({
  splits: namedValues().nullish(),
  dividends: namedValues().nullish(),
});
const SplitEvent = z.object({
  date: EpochSeconds,
  numerator: z.number().positive(),
  denominator: z.number().positive(),
});
const DividendEvent = z.object({ date: EpochSeconds, amount: Price });

const Result = z.object({
  meta: Meta,
  /** Missing if there is no bar in the range. */
  timestamp: z.array(EpochSeconds).optional(),
  indicators: z.object({ quote: z.tuple([Columns], z.unknown()) }),
  events: Events.nullish(),
});

/** A chart, or an error. */
const Chart = z.object({
  chart: z.object({
    result: z.array(Result).nullable(),
    error: z.object({ description: z.string().nullish() }).nullable(),
  }),
});
export type ChartResult = z.infer<typeof Result>;

/**
 * One slot of a chart. Prices are rounded to seven digits, because Yahoo stores them in 32 bits; a price of 0 becomes
 * null.
 */
export interface Slot {
  /** Epoch ms. */
  readonly at: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly volume: number | null;
}

/** Checks that a chart has bars of the requested length. @throws ProviderFailure "malformed" if it says otherwise */
export function assertGranularity({ meta, timestamp = [] }: ChartResult, timeframe: ProviderTimeframe): void {
  const { dataGranularity: length } = meta;
  if (length != null && length !== timeframe && timestamp.length > 0)
    throw new ProviderFailure("malformed", "bars of another length than the requested one");
}

/** Returns the slots of a chart in order. @throws ProviderFailure "malformed" for columns of different lengths */
export function slotsOf({ timestamp = [], indicators }: ChartResult): readonly Slot[] {
  const [columns] = indicators.quote;
  const { open = [], high = [], low = [], close = [], volume = [] } = columns;
  if ([open, high, low, close, volume].some((column) => column.length !== timestamp.length))
    throw new ProviderFailure("malformed", "columns of different lengths");
  return timestamp.map((at, i) => ({
    at,
    open: sevenDigits(open[i]!),
    high: sevenDigits(high[i]!),
    low: sevenDigits(low[i]!),
    close: sevenDigits(close[i]!),
    volume: volume[i]!,
  }));
}

/**
 * Returns the splits and dividends of a chart, oldest first. Dividends are adjusted for later splits, as the prices
 * are.
 */
export function actionsOf({ events }: ChartResult): CorporateActions {
  const rows = <T extends { readonly date: number }>(shape: z.ZodType<T>, given: object | null | undefined) =>
    [...readableRows(shape, Object.values(given ?? {}))].sort((a, b) => a.date - b.date);
  return {
    splits: rows(SplitEvent, events?.splits).map(({ date, numerator, denominator }) => ({
      date: newYorkDate(date),
      ratio: numerator / denominator,
    })),
    dividends: rows(DividendEvent, events?.dividends).map(({ date, amount }) => ({
      date: newYorkDate(date),
      amount,
    })),
  };
}

const sevenDigits = (price: number | null): number | null =>
  price === null || price === 0 ? null : Number(price.toPrecision(7));

/** Hosts of charts, options and reports. Each of them refuses requests at times that the other serves. */
export const DATA_HOSTS = ["https://query2.finance.yahoo.com", "https://query1.finance.yahoo.com"] as const;
/**
 * User agents of browsers; without one, Yahoo responds with 429. Reports disagree on which of them it refuses in a
 * network.
 */
const USER_AGENTS = [
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  "Mozilla/5.0",
] as const;

/** Creates a function that tries the user agent that worked last, and the other one if Yahoo refuses it. */
export const tryUserAgents = (): TryAlternates<string> => tryAlternates<string>(USER_AGENTS);

/** Text of the error for a window that ends before the first trade. */
const BEFORE_FIRST_TRADE = "Data doesn't exist for startDate";

/** Creates the client of data that need no crumb. Default of `hosts`: those of charts. */
export function yahooClient(
  setup: ProviderSetup,
  { hosts = DATA_HOSTS, accept = "application/json" }: { hosts?: readonly string[]; accept?: string } = {},
): Pick<HttpClient, "json" | "text"> {
  const withUserAgent = tryUserAgents();
  const withHost = tryHosts(setup, hosts);
  /** Sends a request to one host after the other, with one user agent after the other. */
  const send = <T>(request: HttpRequest, run: (client: HttpClient, request: HttpRequest) => Promise<T>) =>
    withUserAgent((agent) =>
      withHost((baseUrl) => {
        const headers = { accept };
        const client = createHttpClient({ ...setup, baseUrl, headers, keyless: true });
        return run(client, { ...request, headers: { "user-agent": agent } });
      }),
    );
  return {
    json: (path, request) => send(request, (client, sent) => client.json(path, sent)),
    text: (path, request) => send(request, (client, sent) => client.text(path, sent)),
  };
}

/**
 * Requests the chart of an instrument. Returns null if the first trade is after the window. Rejects only with
 * ProviderFailure.
 */
export type FetchChart = (
  instrument: Instrument,
  query: Readonly<Record<string, string | number | undefined>>,
  signal: AbortSignal,
) => Promise<ChartResult | null>;

/** Returns Yahoo's symbol of an instrument and the kinds of instruments that its chart may be about. */
type ChartSubject = (instrument: Instrument) => {
  readonly symbol: string;
  readonly kinds: readonly string[];
};

/**
 * Creates the client of the chart API, which needs neither cookie nor crumb. Checks that a chart is about the
 * instrument and in dollars. Default of `subjectOf`: stocks, funds and tokens.
 */
export function chartApi(setup: ProviderSetup, subjectOf: ChartSubject = listedSubject): FetchChart {
  const client = yahooClient(setup);
  return async (instrument, query, signal) => {
    const { symbol, kinds } = subjectOf(instrument);
    const path = `/v8/finance/chart/${encodeURIComponent(symbol)}`;
    const { status, body } = await client.json(path, { query, signal, accept: [400, 404, 422] });
    const { result, error } = (await readBody(Chart, body, setup.onUnreadable)).chart;
    if (status === 404 && error !== null) throw new ProviderFailure("unknown_symbol", "no such symbol");
    if (status === 422) throw new ProviderFailure("unsupported", "window too long for bars of this length");
    if (status === 400 && error?.description?.startsWith(BEFORE_FIRST_TRADE) === true) return null;
    const [chart] = result ?? [];
    if (status !== 200 || chart === undefined)
      throw new ProviderFailure("malformed", "response without a chart");
    validateChart(chart, symbol, kinds);
    return chart;
  };
}

/** Returns Yahoo's symbol of an instrument: `BRK-B` for BRK.B, `UNI7083-USD` for Uniswap. */
export function symbolOf(instrument: Instrument): string {
  if (instrument.asset_class !== "crypto") return usTicker(instrument, "-");
  const name = tokenName(tickerOf(instrument));
  if (name === null) throw new ProviderFailure("unsupported", "no unambiguous name for the token");
  return name;
}

const KINDS = { equity: ["EQUITY", "ETF"], etf: ["ETF", "EQUITY"], crypto: ["CRYPTOCURRENCY"] } as const;

const listedSubject: ChartSubject = (instrument) => ({
  symbol: symbolOf(instrument),
  kinds: KINDS[instrument.asset_class],
});

function validateChart({ meta }: ChartResult, symbol: string, kinds: readonly string[]): void {
  if (meta.symbol !== symbol) throw new ProviderFailure("malformed", "response about another symbol");
  if (meta.currency !== "USD") throw new ProviderFailure("malformed", "a price in another currency");
  if (!kinds.includes(meta.instrumentType))
    throw new ProviderFailure("malformed", "response about another kind of instrument");
}
