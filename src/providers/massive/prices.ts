import { z } from "zod";
import type { ProviderTimeframe } from "../../domain/market/bars.ts";
import {
  type PriceProvider,
  type ProviderBarsRequest,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { Price, PriceOrNull } from "../shared/fields.ts";
import { rowsOf } from "../shared/rows.ts";
import { isoDay } from "../shared/timestamps.ts";
import { readBarPages, type ShortBar, sessionBars } from "../shared/us-bars.ts";
import { usTicker } from "../shared/us-ticker.ts";
import {
  type MassiveGet,
  type MassivePlan,
  type MassiveSetup,
  massiveApi,
  requireInPlan,
  untilNotInPlan,
} from "./api.ts";

const SNAPSHOT_PATH = "/v2/snapshot/locale/us/markets/stocks/tickers";
/** Maximum size of a page, counted in the days or minutes from which its bars are built. */
const PAGE_SIZE = 50_000;
const MAX_PAGES = 8;
/** Maximum age of bars in days by plan; older bars are cut off or refused. */
const REACH_DAYS = { free: 720, starter: 1_820, developer: 3_640, advanced: 7_280 } as const satisfies Record<
  MassivePlan,
  number
>;
/** Massive's names for timeframes. Its hourly bars begin on the hour, not at the session's open, so they are not used. */
const SPANS: Readonly<Partial<Record<ProviderTimeframe, string>>> = {
  "1d": "1/day",
  "30m": "30/minute",
  "15m": "15/minute",
  "5m": "5/minute",
  "1m": "1/minute",
};

const Figures = z.object({ o: PriceOrNull, h: PriceOrNull, l: PriceOrNull, c: PriceOrNull });
/**
 * Bars of one ticker, oldest first, adjusted for splits. `results` is missing if there are no bars or no such ticker.
 */
const Aggregates = z
  .object({
    ticker: z.string(),
    adjusted: z.literal(true),
    resultsCount: z.number(),
    /** `t` is the start of the bar, epoch ms; for a day, midnight in New York. */
    results: rowsOf(
      Figures.extend({ t: z.number().int().nonnegative(), v: z.number().nonnegative() }),
    ).nullish(),
    /** Absolute URL of the next page. */
    next_url: z.string().nullish(),
  })
  .refine(({ resultsCount, results }) => resultsCount === 0 || results);
const Day = Figures.extend({ v: z.number().nonnegative().nullish() });
/** The newest state of one ticker. Data that the plan does not include is missing. */
const Snapshot = z.object({
  ticker: z.object({
    ticker: z.string(),
    /** All figures are 0 from 03:30 New York until the day begins. */
    day: Day.nullish(),
    prevDay: Day.nullish(),
    /** `t` is in nanoseconds, rounded by JSON to some hundred nanoseconds. */
    lastTrade: z.object({ p: Price, t: z.number().positive().max(8.64e21) }).nullish(),
  }),
});

/**
 * Creates the provider for Massive, formerly Polygon. Bars cover all venues in the regular session or in extended
 * hours, and are adjusted for splits. A free key gets the bars of a day after its end and two years back; larger plans
 * reach 5, 10 and 20 years back, 15 minutes late, or in real time with the largest. Quotes are the last trade, for
 * plans that include trades. With other plans, only the first quote is requested; later ones fail without a call until
 * a restart.
 *
 * Of a free key's 5 calls a minute, 4 are used. Bars take one call per 50,000 minutes of trading, about 50 sessions.
 * @see https://massive.com/docs/rest/stocks/aggregates/custom-bars
 */
export function massive(setup: MassiveSetup): PriceProvider {
  const get = massiveApi(setup);
  const { plan = "free" } = setup;
  const reach = REACH_DAYS[plan];
  const getSnapshot = untilNotInPlan((symbol: string, signal: AbortSignal) =>
    get(`${SNAPSHOT_PATH}/${symbol}`, Snapshot, { signal }),
  );
  return {
    name: "massive",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 4, perMs: 60_000, atOnce: 2 },
    // the key of a plan that is not named may be real-time: the time of its trades decides
    delayMinutes: plan === "starter" || plan === "developer" ? 15 : 0,
    barDelayMinutes: plan === "advanced" ? 0 : 15,
    liveWithinMs: 120_000,
    hasExtendedHours: true,
    reaches: { "1d": reach, "30m": reach, "15m": reach, "5m": reach, "1m": reach },
    async latest(instrument, { signal }) {
      const symbol = usTicker(instrument);
      const { ticker } = await getSnapshot(symbol, signal);
      if (ticker.ticker !== symbol) throw new ProviderFailure("malformed", "response about another symbol");
      return quoteOf(ticker);
    },
    history: async (instrument, request) =>
      sessionBars(await readBars(get, usTicker(instrument), request), request),
  };
}

function quoteOf({ lastTrade, day, prevDay }: z.infer<typeof Snapshot>["ticker"]): ProviderQuote {
  if (!lastTrade) throw new ProviderFailure("unsupported", "no trade of this symbol");
  // neither day has a date, so until the newer one begins it is unknown which days they are
  const today = day && day.c !== null ? day : null;
  return {
    price: lastTrade.p,
    tradedAt: Math.round(lastTrade.t / 1e6),
    previousClose: today === null ? null : (prevDay?.c ?? null),
    open: today?.o ?? null,
    high: today?.h ?? null,
    low: today?.l ?? null,
    volume: today?.v ?? null,
    volumeScope: "all_venues",
    venue: "US",
  };
}

interface PageAddress {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
}

async function readBars(
  get: MassiveGet,
  symbol: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<readonly ShortBar[]> {
  const span = SPANS[timeframe];
  if (span === undefined)
    throw new ProviderFailure("unsupported", "no bars of this length on the session's grid");
  const [first, last] = [from, until].map((at) => (timeframe === "1d" ? isoDay(at) : Math.floor(at)));
  const folder = `/v2/aggs/ticker/${symbol}/range/`;
  const start: PageAddress = {
    path: `${folder}${span}/${first}/${last}`,
    query: { adjusted: "true", sort: "asc", limit: PAGE_SIZE },
  };
  return readBarPages<PageAddress>(async (address) => {
    const { path, query } = address ?? start;
    const page = requireInPlan(await get(path, Aggregates, { query, signal }));
    if (page.ticker !== symbol) throw new ProviderFailure("malformed", "response about another symbol");
    return { rows: page.results ?? [], next: page.next_url ? addressOf(page.next_url, folder) : null };
  }, MAX_PAGES);
}

/** Returns path and query of the next page. The URL's host is ignored, so that the key is not sent elsewhere. */
function addressOf(nextUrl: string, folder: string): PageAddress {
  const url = URL.canParse(nextUrl) ? new URL(nextUrl) : null;
  if (url === null || !url.pathname.startsWith(folder))
    throw new ProviderFailure("malformed", "the URL of the next page belongs to another request");
  return { path: url.pathname, query: Object.fromEntries(url.searchParams) };
}
