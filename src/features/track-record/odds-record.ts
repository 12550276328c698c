import { oddsRecordFold } from "../../analytics/odds/odds-record.ts";
import { scoreForecast } from "../../analytics/odds/score-forecast.ts";
import { TIMEFRAMES, type Timeframe } from "../../domain/market/bars.ts";
import type { OddsBucket, OddsRecord, OddsRow } from "../../domain/odds/odds-record.ts";
import type { ObservedForecast } from "../../domain/track-record/track-port.ts";

/** Builds the record of odds of all timeframes from pages in decision order; null when no forecast has an outcome. */
export async function oddsRecordOf(
  pagesOf: (
    timeframe: Timeframe,
  ) => AsyncIterable<readonly ObservedForecast[]> | Iterable<readonly ObservedForecast[]>,
  computed_at: string,
): Promise<OddsRecord | null> {
  const rows: OddsRow[] = [];
  const buckets: OddsBucket[] = [];
  let forecasts = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const timeframe of TIMEFRAMES) {
    const fold = oddsRecordFold(timeframe);
    for await (const page of pagesOf(timeframe))
      for (const { at, asset_class, forecast, outcomes } of page) {
        forecasts++;
        first = Math.min(first, at);
        last = Math.max(last, at);
        for (const { replayed, ...outcome } of outcomes) {
          const score = scoreForecast(forecast, outcome);
          const head = { at, asset_class, version: forecast.version, horizon: outcome.bars, replayed };
          if (score !== null) fold.add({ ...head, score });
        }
      }
    rows.push(...fold.result());
    buckets.push(...fold.buckets());
  }
  if (forecasts === 0) return null;
  return {
    computed_at,
    forecasts,
    from: new Date(first).toISOString(),
    until: new Date(last).toISOString(),
    rows,
    buckets,
  };
}
