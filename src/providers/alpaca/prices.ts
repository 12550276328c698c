import { z } from "zod";
import type { ProviderTimeframe } from "../../domain/market/bars.ts";
import {
  type PriceProvider,
  type ProviderBarsRequest,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { previousSessionDay } from "../../market/calendar/calendar.ts";
import type { ApiGet } from "../shared/api.ts";
import { Instant, Price, PriceOrNull } from "../shared/fields.ts";
import { namedRowsOf, rowsOf } from "../shared/rows.ts";
import { readBarPages, type ShortBar, sessionBars } from "../shared/us-bars.ts";
import { symbolsByName, usTicker } from "../shared/us-ticker.ts";
import { type AlpacaFeeds, type AlpacaSetup, alpacaApi, feedsOf } from "./api.ts";

const DAY = 86_400_000;
/** Maximum number of symbols of one request for snapshots. */
const SNAPSHOTS_PER_CALL = 50;
const PAGE_SIZE = 10_000;
const MAX_PAGES = 40;
/** Maximum days of history; Alpaca's bars of all venues begin in 2016. */
const REACH_DAYS = 3_650;
/**
 * Alpaca's names for timeframes. Its hourly bars begin on the hour, not at the session's open, so they are not used.
 */
const TIMEFRAMES: Readonly<Partial<Record<ProviderTimeframe, string>>> = {
  "1d": "1Day",
  "30m": "30Min",
  "15m": "15Min",
  "5m": "5Min",
  "1m": "1Min",
};

const Bar = z.object({
  /** Start of the bar; for daily bars midnight in New York. */
  t: Instant,
  o: PriceOrNull,
  h: PriceOrNull,
  l: PriceOrNull,
  c: PriceOrNull,
  v: z.number().nonnegative(),
});
const Snapshot = z.object({
  latestTrade: z.object({ t: Instant, p: Price }).nullish(),
  latestQuote: z.object({ bp: PriceOrNull.optional(), ap: PriceOrNull.optional() }).nullish(),
  dailyBar: Bar.nullish(),
  prevDailyBar: Bar.nullish(),
});
type Snapshot = z.infer<typeof Snapshot>;
/** Snapshots by symbol; null for a symbol that is not listed. */
const Snapshots = namedRowsOf(Snapshot.nullable()).transform((rows) => new Map(rows));
/** A page of bars by symbol, oldest first. */
const BarPage = z.object({
  bars: z.record(z.string(), rowsOf(Bar)).nullable(),
  next_page_token: z.string().nullish(),
});

/**
 * Creates the provider of Alpaca's market data. A quote takes one call. Without a subscription it is the newest trade
 * on IEX, which handles about 3 % of all shares traded; its day figures cover IEX only, without a previous close. Bars
 * cover all venues in the regular session or in extended hours, are adjusted for splits, and omit the newest 16
 * minutes. With a subscription, quotes and bars cover all venues in real time.
 *
 * Of the 200 calls a minute without a subscription, 150 are used. Bars take one call per page; a page holds at most
 * 10,000 rows and, as measured by third parties, is built from at most 10,000 minute bars, so 500 half-hour bars take
 * four calls.
 * @see https://docs.alpaca.markets/docs/about-market-data-api
 */
export function alpaca(setup: AlpacaSetup): PriceProvider {
  const get = alpacaApi(setup);
  const feeds = feedsOf(setup);
  return {
    name: "alpaca",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 150, perMs: 60_000, atOnce: 4 },
    delayMinutes: 0,
    barDelayMinutes: feeds.withheldMs / 60_000,
    liveWithinMs: 120_000,
    hasExtendedHours: true,
    reaches: { "1d": REACH_DAYS, "30m": REACH_DAYS, "15m": REACH_DAYS, "5m": REACH_DAYS, "1m": REACH_DAYS },
    async latest(instrument, { signal }) {
      const symbol = usTicker(instrument);
      return quoteOf(await readSnapshot(get, symbol, feeds, signal), feeds);
    },
    batchSize: SNAPSHOTS_PER_CALL,
    async latestOf(instruments, { signal }) {
      const names = symbolsByName(instruments, usTicker);
      const query = { symbols: [...names.keys()].join(","), feed: feeds.quotes };
      const snapshots = await get("/v2/stocks/snapshots", Snapshots, { query, signal });
      const quotes = [...snapshots].flatMap(([name, snapshot]) => {
        const symbol = names.get(name);
        return symbol === undefined || !snapshot?.latestTrade
          ? []
          : [[symbol, quoteOf(snapshot, feeds)] as const];
      });
      return new Map(quotes);
    },
    history: async (instrument, request) =>
      sessionBars(
        await readBars(get, usTicker(instrument), request, setup.now() - feeds.withheldMs),
        request,
      ),
  };
}

/** Reads the newest trade and days of one stock. @throws ProviderFailure "unknown_symbol" if it is not listed */
export async function readSnapshot(
  get: ApiGet,
  symbol: string,
  { quotes: feed }: Pick<AlpacaFeeds, "quotes">,
  signal: AbortSignal,
): Promise<Snapshot> {
  const query = { symbols: symbol, feed };
  const snapshots = await get("/v2/stocks/snapshots", Snapshots, { query, signal });
  const snapshot = snapshots.get(symbol);
  if (snapshot === undefined && snapshots.size > 0)
    throw new ProviderFailure("malformed", "response about another symbol");
  if (snapshot === undefined || snapshot === null)
    throw new ProviderFailure("unknown_symbol", "no such symbol");
  return snapshot;
}

function quoteOf(
  { latestTrade, latestQuote, dailyBar, prevDailyBar }: Snapshot,
  { quotes: feed }: Pick<AlpacaFeeds, "quotes">,
): ProviderQuote {
  if (!latestTrade) throw new ProviderFailure("unsupported", "no trade of this symbol in the feed");
  const day = newYorkDay(latestTrade.t);
  // before the day's first regular trade the newest daily bar is that of the previous session
  const barOn = (date: number | null): ShortBar | null =>
    [dailyBar, prevDailyBar].find((bar) => bar && newYorkDay(bar.t) === date) ?? null;
  const today = barOn(day);
  const before = barOn(previousSessionDay(day))?.c ?? null;
  return {
    price: latestTrade.p,
    tradedAt: latestTrade.t,
    // the last print of one venue is not the official close
    ...(feed === "sip" ? { previousClose: before } : { previousClose: null, venuePreviousClose: before }),
    open: today?.o ?? null,
    high: today?.h ?? null,
    low: today?.l ?? null,
    volume: today?.v ?? null,
    bid: latestQuote?.bp ?? null,
    ask: latestQuote?.ap ?? null,
    ...(feed === "sip"
      ? { volumeScope: "all_venues", venue: "US" }
      : { volumeScope: "one_venue", venue: "IEX" }),
  };
}

async function readBars(
  get: ApiGet,
  symbol: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
  newest: number,
): Promise<readonly ShortBar[]> {
  const length = TIMEFRAMES[timeframe];
  if (length === undefined)
    throw new ProviderFailure("unsupported", "no bars of this length on the session's grid");
  // the timestamp of a daily bar is some hours after the start of its date
  const end = Math.min(timeframe === "1d" ? until + DAY : until, newest);
  if (end < from) return [];
  const query = {
    symbols: symbol,
    timeframe: length,
    start: new Date(from).toISOString(),
    end: new Date(end).toISOString(),
    limit: PAGE_SIZE,
    adjustment: "split",
    feed: "sip",
  };
  return readBarPages<string>(async (token) => {
    const page = await get("/v2/stocks/bars", BarPage, {
      query: { ...query, page_token: token ?? undefined },
      signal,
    });
    if (Object.keys(page.bars ?? {}).some((name) => name !== symbol))
      throw new ProviderFailure("malformed", "response about another symbol");
    return { rows: page.bars?.[symbol] ?? [], next: page.next_page_token ?? null };
  }, MAX_PAGES);
}
