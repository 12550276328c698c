import {
  type PriceProvider,
  type ProviderBars,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { marketStateAt, sessionOf } from "../../market/calendar/calendar.ts";
import { looksSplit } from "../../market/prices/split-check.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { createClient } from "./client.ts";
import { barOf, changeOf, Historical, Info, type Sale, timeOf } from "./wire.ts";

const DAY = 86_400_000;
/** More rows than it has of anything. */
const LIMIT = 9_999;

/**
 * Nasdaq.com's own API, undocumented and without a key, for stocks and funds of all US exchanges; volumes are shares on
 * all venues. A question is one call, or two where the name is not of the class it is thought to be of; no limit is
 * known, about one answer in ten is an apology.
 *
 * Some quotes are said to be in real time and some not, by the minute. A source has one delay, so all are told as 15
 * minutes late and none as live: a quote may be newer than that, never older. After the evening's trading it tells the
 * official close. Highs, lows and openings of the day are left out, as it does not say of which day.
 *
 * Its daily bars are adjusted for splits, which is nowhere said: they are called so unless they hold what looks like a
 * split nobody adjusted for, and `unknown` then. The newest may be missing until the next day.
 */
export function nasdaq(setup: ProviderSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "nasdaq",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    delayMinutes: 15,
    liveWithinMs: 120_000,
    reaches: { "1d": 3_650 },
    async latest(instrument, { signal }) {
      const info = await ask({ what: "info", instrument, shape: Info, signal });
      if (info === null) throw new ProviderFailure("malformed", "a quote of no time");
      return quoteOf(info.primaryData, info.secondaryData ?? null);
    },
    async history(instrument, { timeframe, from, until, signal }): Promise<ProviderBars> {
      if (timeframe !== "1d") throw new ProviderFailure("unsupported", "it has daily bars alone");
      // a window of one day is refused, so it begins a day before
      const query = { fromdate: isoDate(from - DAY), todate: isoDate(until), limit: LIMIT };
      const told = await ask({ what: "historical", instrument, shape: Historical, query, signal });
      const bars = (told?.tradesTable.rows ?? []).map(barOf).filter(({ time }) => time <= until);
      const adjustment = bars.length === 0 || looksSplit(bars) ? "unknown" : "split";
      return { bars, adjustment, hours: "regular", volumeScope: "all_venues", venue: "US" };
    },
  };
}

function quoteOf(newest: Sale, regular: Sale | null): ProviderQuote {
  const { lastSalePrice: price, volume } = newest;
  const tradedAt = timeOf(newest);
  if (price === null || tradedAt === null)
    throw new ProviderFailure("malformed", "a price without its trade");
  return {
    price,
    tradedAt,
    previousClose: regular === null ? closeBefore(newest, tradedAt) : closeBeforeDay(regular, tradedAt),
    open: null,
    high: null,
    low: null,
    volume,
    volumeScope: "all_venues",
    venue: "US",
  };
}

/** The close that a sale's change is counted from; null out of the regular session, where that may be of either day. */
function closeBefore(sale: Sale, tradedAt: number): number | null {
  const change = changeOf(sale);
  const session = sessionOf(isoDate(newYorkDay(tradedAt)));
  const regular = marketStateAt(tradedAt, "equity") === "regular" || tradedAt === session?.close;
  if (!regular || sale.lastSalePrice === null || change === null) return null;
  const close = Number((sale.lastSalePrice - change).toFixed(4));
  return close > 0 ? close : null;
}

/** The close before a trade's day, from the last regular close: that one itself before the opening, the one before it after. */
function closeBeforeDay(regular: Sale, tradedAt: number): number | null {
  const closedAt = timeOf(regular);
  if (closedAt === null) return null;
  if (newYorkDay(closedAt) < newYorkDay(tradedAt)) return regular.lastSalePrice;
  return closeBefore(regular, closedAt);
}

const isoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);
