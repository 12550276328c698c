import { baseResult } from "../../analytics/track/base.ts";
import {
  closeReturn,
  extremesAfter,
  planEnd,
  TIME_EXIT,
  tradeResult,
} from "../../analytics/track/outcome.ts";
import { recordFold } from "../../analytics/track/record.ts";
import type { Bars } from "../../domain/market/bars.ts";
import {
  HORIZONS,
  type Horizon,
  type LoggedSignal,
  type PublishedRecord,
  type ROverBase,
  type ScoredSignal,
  type SignalOutcome,
} from "../../domain/track-record/track.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";

type TradedSignal = Pick<LoggedSignal, "direction" | "stop" | "target" | "close">;

interface OutcomeRequest {
  readonly bars: Bars;
  /** Index of the decision bar. */
  readonly at: number;
  readonly horizons: readonly Horizon[];
  /** ATR14 of the bars. Omitted: outcomes have no base. */
  readonly atr?: Float64Array;
  /** Returns the close time of a bar, ISO 8601 UTC. */
  readonly closedAt: (bar: number) => string;
}

/**
 * Computes the outcomes of a signal decided at bar `at`, for the horizons whose bars exist; null computes those of odds
 * without a signal. Signal prices are scaled to the series, because it may have been adjusted for a later split.
 */
export function outcomesOf(
  signal: TradedSignal | null,
  { bars, at, horizons, atr, closedAt }: OutcomeRequest,
): readonly SignalOutcome[] {
  return horizons.flatMap((horizon) => {
    const change = closeReturn(bars.close, { at, horizon });
    if (change === null) return [];
    const extremes = extremesAfter(bars, { at, horizon });
    const head = { horizon, known_at: closedAt(at + horizon), change, ...extremes };
    if (horizon !== TIME_EXIT || signal === null) return [{ ...head, r: null, plan_end: null }];
    const base = atr === undefined ? {} : { base: baseResult(bars, at, atr) };
    const plan = scaledTo(bars.close[at]!, signal);
    return [{ ...head, r: resultOf(plan, bars, at), plan_end: planEnd(bars, at, plan), ...base }];
  });
}

function resultOf({ direction, stop, target }: TradedSignal, bars: Bars, at: number): number | null {
  return direction === "WAIT" ? null : tradeResult(bars, at, { side: direction, stop, target });
}

function scaledTo(close: number, signal: TradedSignal): TradedSignal {
  const scale = close / signal.close;
  return { ...signal, stop: signal.stop * scale, target: signal.target * scale, close };
}

/** Builds the published record of scored signals in decision order; null when there are none. */
export async function publishedOf(
  pages: AsyncIterable<readonly ScoredSignal[]> | Iterable<readonly ScoredSignal[]>,
  { model_version, computed_at }: Pick<PublishedRecord, "model_version" | "computed_at">,
): Promise<PublishedRecord | null> {
  const fold = recordFold();
  let first: number | undefined;
  let last: number | undefined;
  for await (const page of pages) {
    fold.add(page);
    first ??= page[0]?.at;
    last = page.at(-1)?.at ?? last;
  }
  if (first === undefined || last === undefined) return null;
  const rows = [...fold.result()];
  const r_over_base: ROverBase[] = [];
  for (const row of fold.overBase()) {
    r_over_base.push(row);
    await yieldToEventLoop();
  }
  const countOf = (horizon: Horizon) =>
    rows.reduce((sum, row) => sum + (row.horizon === horizon ? row.n : 0), 0);
  return {
    model_version,
    computed_at,
    // fewer signals have outcomes at longer horizons
    signals: Math.max(...HORIZONS.map(countOf)),
    from: new Date(first).toISOString(),
    until: new Date(last).toISOString(),
    rows,
    r_over_base,
  };
}
