import type { Dividend, Split } from "../../domain/market/corporate-actions.ts";
import type { BarSeries, Instrument } from "../../domain/market/market.ts";
import type { BarHistory } from "../../domain/ports.ts";
import { isoDate } from "../../lib/iso-date.ts";
import { type RangeRequest, refuseBoth, resolveRange, type TimeRange } from "./time-range.ts";

/** Number of daily bars per year, rounded up: sessions of stocks, and days of the simulated market. */
const BARS_PER_YEAR = 366;
const DEFAULT_YEARS = 2;
const MAX_YEARS = 10;
const YEAR_MS = BARS_PER_YEAR * 86_400_000;

interface CorporateActionsRequest extends Pick<RangeRequest, "from" | "to"> {
  readonly instrument: Instrument;
  /** Years before the newest bar. Default: 2. */
  readonly years?: number | undefined;
  readonly now: Date;
  readonly signal: AbortSignal;
}

interface CorporateActionsResult {
  readonly series: BarSeries;
  /** Date of the first bar; null without bars. */
  readonly from: string | null;
  /** Newest first; null if the provider does not know them. */
  readonly splits: Split[] | null;
  readonly dividends: Dividend[] | null;
  readonly notes: string[];
  readonly understood: TimeRange["notes"];
}

/**
 * Reads splits and dividends from the daily bars that carry them, of at most ten years. Rejects like the bars, and with
 * INVALID_INPUT for an invalid range.
 */
export async function readCorporateActions(
  { instrument, years, from: wantedFrom, to, now, signal }: CorporateActionsRequest,
  bars: BarHistory,
): Promise<CorporateActionsResult> {
  refuseBoth({ years, from: wantedFrom }, "years", "from");
  const range = resolveRange({ from: wantedFrom, to }, { now });
  const back =
    range.from === null ? (years ?? DEFAULT_YEARS) : Math.ceil((now.getTime() - range.from) / YEAR_MS);
  const read = Math.min(MAX_YEARS, Math.max(1, back));
  const isToken = instrument.asset_class === "crypto";
  const series = await bars.history(instrument, {
    timeframe: "1d",
    limit: read * BARS_PER_YEAR,
    signal,
    ...(!isToken && { actions: true }),
  });
  const newest = series.bars.time.at(-1);
  const since = newest === undefined ? null : Math.max(newest - read * YEAR_MS, range.from ?? 0);
  const first = series.bars.time.find((time) => since !== null && time >= since);
  const from = first === undefined ? null : isoDate(first);
  const within = <T extends { readonly date: string }>(rows: readonly T[]): T[] =>
    rows.filter(({ date }) => from !== null && date >= from && Date.parse(date) <= range.until).toReversed();
  const understood = range.notes;
  if (isToken) return { series, from, splits: [], dividends: [], notes: [TOKEN_NOTE], understood };
  const { actions } = series;
  const splits = actions === undefined ? null : within(actions.splits);
  const dividends = actions?.dividends == null ? null : within(actions.dividends);
  return {
    series,
    from,
    splits,
    dividends,
    understood,
    notes: [
      ...(back > MAX_YEARS ? [`Only the last ${MAX_YEARS} years are covered`] : []),
      ...(splits === null ? [`${series.source} does not report splits`] : []),
      ...(dividends === null ? [`${series.source} does not report dividends`] : []),
    ],
  };
}

const TOKEN_NOTE = "Tokens have no splits and no dividends.";
