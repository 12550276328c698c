import { shortShare } from "../../analytics/drivers/off-exchange-facts.ts";
import type { BarSeries, Instrument } from "../../domain/market/market.ts";
import type { OffExchangeRow } from "../../domain/off-exchange/darkpool.ts";
import type { OffExchangeDay } from "../../domain/off-exchange/off-exchange.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { rounded } from "../../lib/rounded.ts";
import { optionalAnswer } from "../signal/optional-answer.ts";
import { COINS, coverageOf, readDarkPool } from "./answer.ts";
import { countOf, type PageRequest, printPage, printRange } from "./market-page.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 730;
const WEEKS_BACK_MS = 60 * DAY_MS;
const PAGE_LIMITS = { concise: { days: 3, levels: 4 }, full: { days: 20, levels: 50 } } as const;
const MAX_PRICES = 25;

/** Returns a page of one instrument's prints with its other off-exchange data. */
export async function symbolPage(
  instrument: Instrument,
  { min_notional = 0, limit, detail, ...times }: PageRequest,
  ports: Pick<Ports, "bars" | "prints" | "offExchange" | "clock"> & CallOptions,
) {
  const { signal, offExchange } = ports;
  const now = ports.clock.now();
  const filters = [instrument.symbol, times.since, min_notional];
  const range = printRange(times, { now, filters, days: DEFAULT_DAYS, maxDays: MAX_DAYS });
  const known = await readDarkPool(instrument, { since: range.from!, signal }, ports);
  const page = printPage(
    known.rows.filter(({ notional }) => notional >= min_notional),
    known.unavailableReason === null ? range : { ...range, position: null },
    limit,
  );
  const { days } = known;
  const shown = PAGE_LIMITS[detail];
  const coin = instrument.asset_class === "crypto";
  const more = detail === "full" && !coin ? await readDetails(instrument, now.getTime(), ports) : NO_DETAILS;
  const anonymous = known.rows.some(({ nbbo }) => nbbo === null);
  return {
    symbol: instrument.symbol,
    prints: [...page.rows],
    count: countOf(page.rows, known.coverage),
    // if prints are unavailable, the caller can request the same page again
    next_cursor: known.unavailableReason === null ? page.next : (times.cursor ?? null),
    coverage: known.coverage,
    levels: [...known.levels.slice(0, shown.levels)],
    conviction: known.conviction,
    off_exchange: {
      days: offExchangeRows(days.answer?.rows ?? [], known.series).slice(0, shown.days),
      coverage: coin ? COINS : coverageOf(days.answer, offExchange.missing.days, days.unavailableReason),
      ...more,
    },
    notes: [
      ...(known.levels.length > shown.levels
        ? [`The ${shown.levels} largest of ${known.levels.length} levels are listed; conviction uses all`]
        : []),
      ...(anonymous ? ["side is null for prints without a known quote"] : []),
      ...(oneVenue(known.series) && !coin
        ? ["The daily bars are from one venue, so there is no off-exchange share"]
        : []),
      ...(known.series === null ? ["No daily bars are available: no levels, no conviction, no shares"] : []),
    ],
    ...range.notes,
  };
}

const NO_DETAILS = { weeks: [], weeks_coverage: null, prices: [], prices_coverage: null };

/** Reads the details of a full answer: weekly volume by kind of venue, and the newest day's volume by price. */
async function readDetails(
  instrument: Instrument,
  now: number,
  { offExchange, signal }: Pick<Ports, "offExchange"> & CallOptions,
) {
  const range = { from: now - WEEKS_BACK_MS, until: now, signal };
  const [weeks, prices] = await Promise.all([
    optionalAnswer(() => offExchange.weeks(instrument, range)),
    optionalAnswer(() => offExchange.byPrice(instrument, range)),
  ]);
  return {
    weeks: (weeks.answer?.rows ?? []).toReversed().map(({ week, knownAt, notional, ...row }) => ({
      week: new Date(week).toISOString().slice(0, 10),
      ...row,
      notional: notional === null ? null : rounded(notional, 2),
      published_at: new Date(knownAt).toISOString(),
    })),
    weeks_coverage: coverageOf(weeks.answer, offExchange.missing.weeks, weeks.unavailableReason),
    prices: (prices.answer?.rows ?? []).slice(0, MAX_PRICES).map((row) => ({
      price: rounded(row.price, 6),
      off_exchange_volume: row.offExchange,
      on_exchange_volume: row.onExchange,
    })),
    prices_coverage: coverageOf(prices.answer, offExchange.missing.byPrice, prices.unavailableReason),
  };
}

const oneVenue = (series: BarSeries | null): boolean => series?.origin?.volume_scope === "one_venue";

/**
 * Returns off-exchange days, newest first, with their share of the daily bars' volume. The share is null for a day
 * without a bar, for bars of only one venue, and if it would exceed 1, as after a split.
 */
function offExchangeRows(
  days: readonly OffExchangeDay[],
  series: BarSeries | null,
): readonly OffExchangeRow[] {
  const allVenues = series === null || oneVenue(series) ? null : series.bars;
  const volumes = new Map(
    allVenues === null ? [] : Array.from(allVenues.time, (time, i) => [time, allVenues.volume[i]!]),
  );
  return days.toReversed().map((day): OffExchangeRow => {
    const consolidated = volumes.get(day.day) ?? null;
    const fits = consolidated !== null && consolidated > 0 && day.total <= consolidated;
    const short = shortShare(day);
    return {
      date: new Date(day.day).toISOString().slice(0, 10),
      off_exchange_volume: day.total,
      consolidated_volume: consolidated,
      off_exchange_share: fits ? rounded(day.total / consolidated, 6) : null,
      short_volume: day.short,
      short_share: short === null ? null : rounded(short, 6),
      published_at: new Date(day.knownAt).toISOString(),
    };
  });
}
