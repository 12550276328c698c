import { z } from "zod";
import type { ProviderTimeframe } from "../../domain/market/bars.ts";
import type { CorporateActions } from "../../domain/market/corporate-actions.ts";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBars,
  type ProviderBarsRequest,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { newYorkDate, newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import { looksSplit } from "../../market/prices/split-check.ts";
import type { ApiGet } from "../shared/api.ts";
import { CountOrNull, Instant, PriceOrNull } from "../shared/fields.ts";
import { rowsOf } from "../shared/rows.ts";
import { isoDay } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type TiingoSetup, tiingoApi } from "./api.ts";

const DAY = 86_400_000;

const Bar = z
  .object({
    date: Instant,
    open: PriceOrNull,
    high: PriceOrNull,
    low: PriceOrNull,
    close: PriceOrNull,
    volume: CountOrNull,
  })
  .transform(({ date: time, ...figures }): ProviderBar => ({ time, ...figures }));
/** `splitFactor` is the number of new shares per old share from this day on; 1 on days without a split. */
const Split = z.object({ date: Instant, splitFactor: z.number().positive() });
type Split = z.infer<typeof Split>;
/** Splits of a list of days. All of them must be readable, because they change the bars before them. */
const Splits = z.array(Split);
/** `divCash` is the dividend per share from this day on, in dollars of that day; 0 on days without one. */
const Payout = z.object({ date: Instant, divCash: z.number().nonnegative().default(0) });
/**
 * Daily bars with the timestamp 00:00 UTC of their date, their splits and their dividends; prices and volumes are not
 * adjusted for later splits.
 */
const Daily = z.array(z.unknown()).transform(async (body, context) => {
  const bars = await rowsOf(Bar).safeParseAsync(body);
  // rows that are no bars are not read once more
  const splits = bars.success ? Splits.safeParse(body) : bars;
  const payouts = await rowsOf(Payout).safeParseAsync(body);
  if (bars.success && splits.success && payouts.success)
    return { bars: bars.data, splits: splits.data, payouts: payouts.data };
  context.addIssue({ code: "custom", message: "no daily bars", input: body });
  return z.NEVER;
});

/** Fetches daily bars of the regular session on all venues, adjusted for splits. */
async function dailyBars(
  get: ApiGet,
  symbol: string,
  { from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBars> {
  // requested up to the newest day, because a later split affects earlier bars too
  const daily = await get(dailyPath(symbol), Daily, { query: { startDate: isoDay(from) }, signal });
  const bars = daily.bars.filter(({ time }) => time <= until);
  return {
    ...SHARED,
    bars: adjusted(bars, daily.splits),
    volumeScope: "all_venues",
    venue: "US",
    actions: actionsOf(daily.splits, daily.payouts),
  };
}

/** Fetches intraday bars of the regular session on IEX, adjusted for splits. */
async function intradayBars(
  get: ApiGet,
  symbol: string,
  resampleFreq: string,
  { from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBars> {
  const startDate = isoDay(from);
  const query = { startDate, endDate: isoDay(until), resampleFreq, columns: "open,high,low,close,volume" };
  const [rows, splits] = await Promise.all([
    get(`/iex/${symbol}/prices`, rowsOf(Bar), { query, signal }),
    get(dailyPath(symbol), Splits, { query: { startDate, columns: "date,splitFactor" }, signal }),
  ]);
  const bars = adjusted(
    rows.filter(({ time }) => time <= until),
    splits,
  );
  // the factor of today's split is published in the evening; whether these bars are adjusted for it is not documented
  if (looksSplit(bars)) throw new ProviderFailure("unsupported", "bars that look unadjusted for a split");
  return { ...SHARED, bars, volumeScope: "one_venue", venue: "IEX" };
}

/** Returns the splits and dividends of daily rows, oldest first; dividends are divided by the later splits. */
function actionsOf(listed: readonly Split[], payouts: readonly z.infer<typeof Payout>[]): CorporateActions {
  const byDate = (a: { readonly date: number }, b: { readonly date: number }) => a.date - b.date;
  const splits = listed.filter(({ splitFactor }) => splitFactor !== 1).sort(byDate);
  const later = (day: number) =>
    splits.reduce((product, { date, splitFactor }) => (date > day ? product * splitFactor : product), 1);
  return {
    splits: splits.map(({ date, splitFactor }) => ({ date: isoDay(date), ratio: splitFactor })),
    dividends: payouts
      .filter(({ divCash }) => divCash !== 0)
      .sort(byDate)
      .map(({ date, divCash }) => ({ date: isoDay(date), amount: divCash / later(date) })),
  };
}

const SHARED = { adjustment: "split", hours: "regular" } as const;
const dailyPath = (symbol: string): string => `/tiingo/daily/${symbol}/prices`;

/** Adjusts prices and volumes of bars before a split to the share count after it. */
function adjusted(bars: readonly ProviderBar[], splits: readonly Split[]): ProviderBar[] {
  const factors = new Map(splits.map(({ date, splitFactor }) => [date, splitFactor]));
  return bars.map((bar) => {
    const day = bar.time % DAY === 0 ? bar.time : newYorkDay(bar.time);
    let factor = 1;
    for (const [date, splitFactor] of factors) if (day < date) factor *= splitFactor;
    const price = (figure: number | null) => (figure === null ? null : figure / factor);
    return {
      time: bar.time,
      open: price(bar.open),
      high: price(bar.high),
      low: price(bar.low),
      close: price(bar.close),
      volume: bar.volume === null ? null : bar.volume * factor,
    };
  });
}

/** The newest state of one ticker. Trades on IEX need an agreement with IEX. */
const TopOfBook = z.object({
  ticker: z.string(),
  /** Time of the last change; for the closing print, the time of the close. */
  timestamp: Instant,
  last: PriceOrNull,
  lastSaleTimestamp: Instant.nullish(),
  quoteTimestamp: Instant.nullish(),
  /** The newest trade, or the mid of bid and ask; the official close once it is known. */
  tngoLast: PriceOrNull,
  prevClose: PriceOrNull,
  open: PriceOrNull,
  high: PriceOrNull,
  low: PriceOrNull,
  volume: CountOrNull,
});
type TopOfBook = z.infer<typeof TopOfBook>;
type Trade = Pick<ProviderQuote, "price" | "tradedAt" | "venue">;

/** Returns the last trade on IEX, or the official close; null if the account has access to neither trades nor bids. */
async function latestQuote(get: ApiGet, symbol: string, signal: AbortSignal): Promise<ProviderQuote | null> {
  const [top, ...others] = await get(`/iex/${symbol}`, z.array(TopOfBook), { signal });
  if (top === undefined) throw new ProviderFailure("unknown_symbol", "no such symbol");
  if (others.length > 0 || top.ticker.toUpperCase() !== symbol)
    throw new ProviderFailure("malformed", "response about another symbol");
  const trade = tradeOf(top);
  if (trade !== null) return quoteOf(top, trade);
  if (!top.quoteTimestamp) return null;
  throw new ProviderFailure("unsupported", "no trade of this symbol on IEX");
}

function tradeOf({ last, lastSaleTimestamp, tngoLast, timestamp }: TopOfBook): Trade | null {
  if (last !== null && lastSaleTimestamp) {
    const venue = isSessionClose(lastSaleTimestamp) ? "US" : "IEX";
    return { price: last, tradedAt: lastSaleTimestamp, venue };
  }
  return tngoLast !== null && isSessionClose(timestamp)
    ? { price: tngoLast, tradedAt: timestamp, venue: "US" }
    : null;
}

const isSessionClose = (at: number): boolean => sessionOf(newYorkDate(at))?.close === at;

function quoteOf(top: TopOfBook, { price, tradedAt, venue }: Trade): ProviderQuote {
  const date = newYorkDate(tradedAt);
  const close = sessionOf(date)?.close ?? null;
  // the day figures belong to the day of the last change
  const day = newYorkDate(top.timestamp) === date ? top : null;
  const atClose = tradedAt === close;
  // between the close and the closing print, the volume may cover IEX only or all venues
  const isCounted = atClose || (close !== null && top.timestamp < close);
  return {
    price,
    tradedAt,
    previousClose: day?.prevClose ?? null,
    open: day?.open ?? null,
    high: day?.high ?? null,
    low: day?.low ?? null,
    volume: isCounted ? (day?.volume ?? null) : null,
    volumeScope: atClose ? "all_venues" : "one_venue",
    venue,
  };
}

/** Timeframes aligned to the session. Hourly bars are not used, because they may begin on the hour. */
const FREQUENCIES: Readonly<Partial<Record<ProviderTimeframe, string>>> = {
  "30m": "30min",
  "15m": "15min",
  "5m": "5min",
};

/**
 * Creates the provider for Tiingo with a free token. Daily bars cover all venues and are available from 17:30 New York:
 * raw prices, adjusted by the split factors, because Tiingo's adjusted prices remove dividends too. Intraday bars and
 * their volumes cover only IEX, a few per cent of all shares, and the newest 2,000 of a timeframe; they take two calls,
 * all other requests one.
 *
 * For accounts with an IEX agreement, a quote is the last trade on IEX, and after the session the official close.
 * Without an agreement, Tiingo has only a reference price that is not a trade, so quotes are `unsupported` and not
 * requested again.
 *
 * Of the published 50 calls an hour and 1,000 a day, 40 an hour are used. The limit of 500 symbols a month is not
 * tracked here: Tiingo reports it, and is called again after at most an hour.
 * @see https://www.tiingo.com/documentation/end-of-day and https://www.tiingo.com/documentation/iex
 */
export function tiingo(setup: TiingoSetup): PriceProvider {
  const get = tiingoApi(setup);
  let licensed = true;
  return {
    name: "tiingo",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 40, perMs: 3_600_000, atOnce: 2 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    hasActions: true,
    // calendar days; 2,000 bars cover 153, 76 and 25 sessions
    reaches: { "1d": Number.POSITIVE_INFINITY, "30m": 210, "15m": 105, "5m": 35 },
    async latest(instrument, { signal }) {
      const symbol = usTicker(instrument, "-");
      const quote = licensed ? await latestQuote(get, symbol, signal) : null;
      licensed = quote !== null;
      if (quote === null) throw new ProviderFailure("unsupported", "no trades without an agreement with IEX");
      return quote;
    },
    async history(instrument, request) {
      const symbol = usTicker(instrument, "-");
      if (request.timeframe === "1d") return await dailyBars(get, symbol, request);
      const frequency = FREQUENCIES[request.timeframe];
      if (frequency === undefined)
        throw new ProviderFailure("unsupported", "no bars of this length on the session's grid");
      return await intradayBars(get, symbol, frequency, request);
    },
  };
}
