import type { Dividend, Split } from "../../domain/market/corporate-actions.ts";
import type { BarSeries, Instrument } from "../../domain/market/market.ts";
import type { BarHistory } from "../../domain/ports.ts";
import { isoDate } from "../../lib/iso-date.ts";

/** Number of daily bars per year, rounded up: sessions of stocks, and days of the simulated market. */
const BARS_PER_YEAR = 366;

interface CorporateActionsRequest {
  readonly instrument: Instrument;
  readonly years: number;
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
}

/** Reads splits and dividends from the daily bars that carry them. Rejects like the bars. */
export async function readCorporateActions(
  { instrument, years, signal }: CorporateActionsRequest,
  bars: BarHistory,
): Promise<CorporateActionsResult> {
  const isToken = instrument.asset_class === "crypto";
  const series = await bars.history(instrument, {
    timeframe: "1d",
    limit: years * BARS_PER_YEAR,
    signal,
    ...(!isToken && { actions: true }),
  });
  const newest = series.bars.time.at(-1);
  const since = newest === undefined ? null : newest - years * BARS_PER_YEAR * 86_400_000;
  const first = series.bars.time.find((time) => since !== null && time >= since);
  const from = first === undefined ? null : isoDate(first);
  const within = <T extends { readonly date: string }>(rows: readonly T[]): T[] =>
    rows.filter(({ date }) => from !== null && date >= from).toReversed();
  if (isToken) return { series, from, splits: [], dividends: [], notes: [TOKEN_NOTE] };
  const { actions } = series;
  const splits = actions === undefined ? null : within(actions.splits);
  const dividends = actions?.dividends == null ? null : within(actions.dividends);
  return {
    series,
    from,
    splits,
    dividends,
    notes: [
      ...(splits === null ? [`${series.source} does not report splits`] : []),
      ...(dividends === null ? [`${series.source} does not report dividends`] : []),
    ],
  };
}

const TOKEN_NOTE = "Tokens have no splits and no dividends.";
