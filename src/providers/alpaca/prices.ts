import { z } from "zod";
import type { Timeframe } from "../../domain/market/bars.ts";
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
import { rowsOf } from "../shared/rows.ts";
import { readBarPages, type ShortBar, sessionBars } from "../shared/us-bars.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type AlpacaSetup, alpacaApi, WITHHELD_MS } from "./api.ts";

const DAY = 86_400_000;
const PAGE_SIZE = 10_000;
const MAX_PAGES = 40;
/** Maximum days of history; Alpaca's bars of all venues begin in 2016. */
const REACH_DAYS = 3_650;
/**
 * Alpaca's names for timeframes. Its hourly bars begin on the hour, not at the session's open, so they are not used.
 */
const TIMEFRAMES: Readonly<Partial<Record<Timeframe, string>>> = {
  "1d": "1Day",
  "30m": "30Min",
  "15m": "15Min",
  "5m": "5Min",
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
/** Snapshots by symbol. */
const Snapshots = z.record(
  z.string(),
  z
    .object({
      latestTrade: z.object({ t: Instant, p: Price }).nullish(),
      dailyBar: Bar.nullish(),
      prevDailyBar: Bar.nullish(),
    })
    .nullable(),
);
/** A page of bars by symbol, oldest first. */
const BarPage = z.object({
  bars: z.record(z.string(), rowsOf(Bar)).nullable(),
  next_page_token: z.string().nullish(),
});

/**
 * Creates the provider of Alpaca's market data without a subscription. A quote takes one call and is the newest trade
 * on IEX, which handles about 3 % of all shares traded; its day figures cover IEX only. Bars cover all venues in the
 * regular session, are adjusted for splits, and omit the newest 16 minutes.
 *
 * Of the published 200 calls a minute, 150 are used. Bars take one call per page; a page holds at most 10,000 rows and,
 * as measured by third parties, is built from at most 10,000 minute bars, so 500 half-hour bars take four calls.
 * @see https://docs.alpaca.markets/docs/about-market-data-api
 */
export function alpaca(setup: AlpacaSetup): PriceProvider {
  const get = alpacaApi(setup);
  return {
    name: "alpaca",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 150, perMs: 60_000, atOnce: 4 },
    delayMinutes: 0,
    barDelayMinutes: WITHHELD_MS / 60_000,
    liveWithinMs: 120_000,
    reaches: { "1d": REACH_DAYS, "30m": REACH_DAYS, "15m": REACH_DAYS, "5m": REACH_DAYS },
    async latest(instrument, { signal }) {
      const symbol = usTicker(instrument);
      const query = { symbols: symbol, feed: "iex" };
      const snapshots = await get("/v2/stocks/snapshots", Snapshots, { query, signal });
      const snapshot = snapshots[symbol];
      if (snapshot === undefined && Object.keys(snapshots).length > 0)
        throw new ProviderFailure("malformed", "response about another symbol");
      if (snapshot === undefined || snapshot === null)
        throw new ProviderFailure("unknown_symbol", "no such symbol");
      return quoteOf(snapshot);
    },
    history: async (instrument, request) =>
      sessionBars(await readBars(get, usTicker(instrument), request, setup.now()), request),
  };
}

function quoteOf({
  latestTrade,
  dailyBar,
  prevDailyBar,
}: NonNullable<z.infer<typeof Snapshots>[string]>): ProviderQuote {
  if (!latestTrade) throw new ProviderFailure("unsupported", "no trade of this symbol on IEX");
  const day = newYorkDay(latestTrade.t);
  // before the day's first regular trade the newest daily bar is that of the previous session
  const barOn = (date: number | null): ShortBar | null =>
    [dailyBar, prevDailyBar].find((bar) => bar && newYorkDay(bar.t) === date) ?? null;
  const today = barOn(day);
  return {
    price: latestTrade.p,
    tradedAt: latestTrade.t,
    previousClose: barOn(previousSessionDay(day))?.c ?? null,
    open: today?.o ?? null,
    high: today?.h ?? null,
    low: today?.l ?? null,
    volume: today?.v ?? null,
    volumeScope: "one_venue",
    venue: "IEX",
  };
}

async function readBars(
  get: ApiGet,
  symbol: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
  now: number,
): Promise<readonly ShortBar[]> {
  const length = TIMEFRAMES[timeframe];
  if (length === undefined)
    throw new ProviderFailure("unsupported", "no bars of this length on the session's grid");
  // the timestamp of a daily bar is some hours after the start of its date
  const end = Math.min(timeframe === "1d" ? until + DAY : until, now - WITHHELD_MS);
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
