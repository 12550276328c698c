import { COVERAGE_MEASURED } from "../../analytics/odds/past-coverage.ts";
import type { Timeframe } from "../../domain/market/bars.ts";

const INTRADAY_NOTE =
  "Few forecasts on intraday bars were measured: the 80% range contained 78 to 87% of closes. On bars of stocks, the overnight gap is spread over all bars.";

interface MeasuredOdds {
  readonly timeframe: Timeframe;
  /** Close time of the last bar, ISO 8601 UTC. */
  readonly decidedAt: string;
  readonly past: boolean;
}

/** Returns a note on odds of intraday bars, or if the coverage was measured after a past time; empty otherwise. */
export function coverageNotes({ timeframe, decidedAt, past }: MeasuredOdds): readonly string[] {
  if (timeframe !== "1d") return [INTRADAY_NOTE];
  if (!past || decidedAt.slice(0, 10) >= COVERAGE_MEASURED) return [];
  return [
    `The coverage of past ranges was measured on ${COVERAGE_MEASURED}: some of its forecasts are later than as_of.`,
  ];
}
