import { ALL_YEARS, LAST_250_DAYS } from "../../analytics/odds/odds-record.ts";
import type { OddsRecord, OddsRow } from "../../domain/odds/odds-record.ts";
import { HORIZONS, type Horizon } from "../../domain/track-record/track.ts";

/** Horizon and timeframe of a concise answer. */
const SHORT_HORIZON: Horizon = 20;
const SHORT_TIMEFRAME = "1d";

export interface OddsRowFilter {
  readonly asset_class?: OddsRow["asset_class"] | undefined;
  readonly horizon?: Horizon | undefined;
  readonly min_n_eff?: number | undefined;
  /** true: only all years and the last 250 days of daily bars, without reliability, and what is not filtered in sum. */
  readonly concise: boolean;
}

/** Selects the rows of a record of odds. */
export function selectOddsRows(
  record: OddsRecord | null,
  { asset_class, horizon, min_n_eff = 0, concise }: OddsRowFilter,
): OddsRow[] {
  const wantedClass = asset_class ?? (concise ? null : undefined);
  const wantedHorizon = horizon ?? (concise ? SHORT_HORIZON : undefined);
  const rows = (record?.rows ?? []).filter(
    (row) =>
      (wantedClass === undefined || row.asset_class === wantedClass) &&
      (wantedHorizon === undefined || row.horizon === wantedHorizon) &&
      row.n_eff >= min_n_eff,
  );
  if (!concise) return rows;
  return rows
    .filter(
      ({ period, timeframe }) =>
        timeframe === SHORT_TIMEFRAME && (period === ALL_YEARS || period === LAST_250_DAYS),
    )
    .map(({ touch: { reliability: _, ...touch }, ...row }) => ({ ...row, touch }));
}

/** How often the 80% range held the close, over all years and methods of one horizon; null without forecasts. */
export interface OddsSummary {
  readonly horizon: Horizon;
  readonly forecasts: number;
  readonly cover_80: number;
}

/** Sums up daily rows of all years at one horizon: 20 bars if there are such rows. */
export function summarizeOdds(rows: readonly OddsRow[]): OddsSummary | null {
  const daily = rows.filter(({ period, timeframe }) => period === ALL_YEARS && timeframe === SHORT_TIMEFRAME);
  const horizon = [SHORT_HORIZON, ...HORIZONS].find((bars) => daily.some((row) => row.horizon === bars));
  if (horizon === undefined) return null;
  const own = daily.filter((row) => row.horizon === horizon);
  // rows of all asset classes, else of the requested one
  const total = own.filter(({ asset_class }) => asset_class === null);
  const counted = total.length > 0 ? total : own;
  const forecasts = counted.reduce((sum, { n }) => sum + n, 0);
  const inside = counted.reduce((sum, { n, cover_80 }) => sum + n * cover_80, 0);
  return { horizon, forecasts, cover_80: inside / forecasts };
}
