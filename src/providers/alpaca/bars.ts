import type { Timeframe } from "../../domain/market/bars.ts";
import {
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";
import type { ApiGet } from "./client.ts";
import { type Bar, Bars } from "./wire.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** What the newest quarter of an hour of all venues is withheld for, with a minute to spare. */
export const WITHHELD_MINUTES = 16;
const LIMIT = 10_000;
/** Most pages of one question. */
const MAX_PAGES = 40;

/** What its bars are called. Its hours begin at the clock's, not at the session's. */
const TIMEFRAMES: Readonly<Partial<Record<Timeframe, string>>> = {
  "1d": "1Day",
  "30m": "30Min",
  "15m": "15Min",
  "5m": "5Min",
};

/** Bars of the regular session on all venues, but for those of the newest 16 minutes. Rejects with ProviderFailure alone. */
export async function barsOf(
  ask: ApiGet,
  symbol: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
  now: number,
): Promise<ProviderBar[]> {
  const length = TIMEFRAMES[timeframe];
  if (length === undefined)
    throw new ProviderFailure("unsupported", "it has no bars of this length on our grid");
  const daily = timeframe === "1d";
  // a day is stamped some hours into its date
  const end = Math.min(daily ? until + DAY : until, now - WITHHELD_MINUTES * MINUTE);
  if (end < from) return [];
  const query = {
    symbols: symbol,
    timeframe: length,
    start: new Date(from).toISOString(),
    end: new Date(end).toISOString(),
    limit: LIMIT,
    adjustment: "split",
    feed: "sip",
  };
  const rows = await pagesOf(ask, symbol, query, signal);
  return rows
    .map(({ t, o: open, h: high, l: low, c: close, v: volume }) => ({
      time: daily ? newYorkDay(t) : t,
      open,
      high,
      low,
      close,
      volume,
    }))
    .filter(({ time }) => time <= until && (daily || marketStateAt(time, "equity") === "regular"));
}

async function pagesOf(
  ask: ApiGet,
  symbol: string,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<Bar[]> {
  const rows: Bar[] = [];
  let newest = Number.NEGATIVE_INFINITY;
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const told = await ask("/v2/stocks/bars", Bars, { ...query, page_token: token }, signal);
    const bars = told.bars?.[symbol] ?? [];
    if (Object.keys(told.bars ?? {}).some((name) => name !== symbol))
      throw new ProviderFailure("malformed", "an answer about another symbol");
    if (bars.some(({ t }) => t <= newest))
      throw new ProviderFailure("malformed", "a page of bars told before");
    for (const bar of bars) newest = Math.max(newest, bar.t);
    rows.push(...bars);
    token = told.next_page_token ?? undefined;
    if (token === undefined) return rows;
  }
  throw new ProviderFailure("unsupported", `more than ${MAX_PAGES} pages of bars at once`);
}
