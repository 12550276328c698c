import type { Timeframe } from "../../domain/market/bars.ts";
import {
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";
import type { ApiGet } from "./client.ts";
import { Aggregates, type Row } from "./wire.ts";

/** Bars of a page, counted as the days or minutes that they are made of. */
const LIMIT = 50_000;
/** Most pages of one question. */
const MAX_PAGES = 8;

/** How many of what. Its hours begin at the clock's, not at the session's. */
const SPANS: Readonly<Partial<Record<Timeframe, string>>> = {
  "1d": "1/day",
  "30m": "30/minute",
  "15m": "15/minute",
  "5m": "5/minute",
};

/** Bars of the regular session on all venues. Rejects with ProviderFailure alone. */
export async function barsOf(
  ask: ApiGet,
  symbol: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBar[]> {
  const span = SPANS[timeframe];
  if (span === undefined)
    throw new ProviderFailure("unsupported", "it has no bars of this length on our grid");
  const daily = timeframe === "1d";
  const [first, last] = [from, until].map((at) => (daily ? isoDate(at) : Math.floor(at)));
  const rows = await pagesOf(ask, symbol, `${span}/${first}/${last}`, signal);
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

async function pagesOf(ask: ApiGet, symbol: string, range: string, signal: AbortSignal): Promise<Row[]> {
  const place = `/v2/aggs/ticker/${symbol}/range/`;
  const query = { adjusted: "true", sort: "asc", limit: LIMIT };
  let question: Page = { path: `${place}${range}`, query };
  const rows: Row[] = [];
  let newest = Number.NEGATIVE_INFINITY;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const told = await ask({ ...question, shape: Aggregates, signal });
    if (told === null) throw new ProviderFailure("unsupported", "not in the plan of this account");
    if (told.ticker !== symbol) throw new ProviderFailure("malformed", "an answer about another symbol");
    const bars = told.results ?? [];
    if (bars.some(({ t }) => t <= newest))
      throw new ProviderFailure("malformed", "a page of bars told before");
    for (const { t } of bars) newest = Math.max(newest, t);
    rows.push(...bars);
    if (!told.next_url) return rows;
    question = pageAt(told.next_url, place);
  }
  throw new ProviderFailure("unsupported", `more than ${MAX_PAGES} pages of bars at once`);
}

interface Page {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
}

/** The next page's path and query: where it is asked for stays ours, so that the key goes nowhere else. */
function pageAt(address: string, place: string): Page {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !url.pathname.startsWith(place))
    throw new ProviderFailure("malformed", "a next page of something else");
  return { path: url.pathname, query: Object.fromEntries(url.searchParams) };
}

const isoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);
