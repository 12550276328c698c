import {
  type PriceProvider,
  type ProviderBars,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { newYorkDate, newYorkDay } from "../../lib/newyork.ts";
import { marketStateAt, sessionOf } from "../../market/calendar/calendar.ts";
import { looksSplit } from "../../market/prices/split-check.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { isoDay } from "../shared/timestamps.ts";
import { quoteApi } from "./api.ts";
import { changeOf, Historical, Info, type Sale, timeOf } from "./wire.ts";

const DAY = 86_400_000;
/** Row limit that exceeds every available history. */
const LIMIT = 9_999;

/**
 * Nasdaq.com's own API, undocumented and without a key, for stocks and funds of all US exchanges, with
 * volumes of all venues. A request is one call, or two if the instrument is of another asset class than
 * expected. No limit is known; about one response in ten is a temporary failure.
 *
 * Some quotes are in real time and some are not, so all count as 15 minutes late and none as live. After the
 * evening's trading it returns the official close. Opens, highs and lows are not used, because their day is
 * not given.
 *
 * Its daily bars are adjusted for splits, which is not documented: the adjustment is "unknown" if they hold
 * what looks like an unadjusted split. The newest bar may be missing until the next day.
 */
export function nasdaq(setup: ProviderSetup): PriceProvider {
  const get = quoteApi(setup);
  return {
    name: "nasdaq",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    delayMinutes: 15,
    liveWithinMs: 120_000,
    reaches: { "1d": 3_650 },
    async latest(instrument, { signal }) {
      const info = await get(instrument, "info", Info, { signal });
      if (info === null) throw new ProviderFailure("malformed", "a quote without a time");
      return quoteOf(info.primaryData, info.secondaryData ?? null);
    },
    async history(instrument, { timeframe, from, until, signal }): Promise<ProviderBars> {
      if (timeframe !== "1d") throw new ProviderFailure("unsupported", "only daily bars are available");
      // a window of one day is refused, so it begins a day earlier
      const query = { fromdate: isoDay(from - DAY), todate: isoDay(until), limit: LIMIT };
      const historical = await get(instrument, "historical", Historical, { query, signal });
      const bars = (historical?.tradesTable.rows ?? []).filter(({ time }) => time <= until);
      const adjustment = bars.length === 0 || looksSplit(bars) ? "unknown" : "split";
      return { bars, adjustment, hours: "regular", volumeScope: "all_venues", venue: "US" };
    },
  };
}

function quoteOf(newest: Sale, regular: Sale | null): ProviderQuote {
  const { lastSalePrice: price, volume } = newest;
  const tradedAt = timeOf(newest);
  if (price === null || tradedAt === null)
    throw new ProviderFailure("malformed", "a quote without price or trade time");
  return {
    price,
    tradedAt,
    previousClose:
      regular === null ? previousCloseOf(newest, tradedAt) : previousCloseOfDay(regular, tradedAt),
    open: null,
    high: null,
    low: null,
    volume,
    volumeScope: "all_venues",
    venue: "US",
  };
}

/**
 * The close that a sale's change refers to; null outside the regular session, where it may be that of either
 * day.
 */
function previousCloseOf(sale: Sale, tradedAt: number): number | null {
  const change = changeOf(sale);
  const session = sessionOf(newYorkDate(tradedAt));
  const regular = marketStateAt(tradedAt, "equity") === "regular" || tradedAt === session?.close;
  if (!regular || sale.lastSalePrice === null || change === null) return null;
  const previous = Number((sale.lastSalePrice - change).toFixed(4));
  return previous > 0 ? previous : null;
}

/**
 * The close before a trade's day: the last regular close before the open, the one before it after the close.
 */
function previousCloseOfDay(regular: Sale, tradedAt: number): number | null {
  const closedAt = timeOf(regular);
  if (closedAt === null) return null;
  if (newYorkDay(closedAt) < newYorkDay(tradedAt)) return regular.lastSalePrice;
  return previousCloseOf(regular, closedAt);
}
