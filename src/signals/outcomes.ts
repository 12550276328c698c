import { closeReturn, TIME_EXIT, tradeResult } from "../analytics/track/outcome.ts";
import { recordOf } from "../analytics/track/record.ts";
import type { Bars } from "../domain/bars.ts";
import type { Horizon, LoggedSignal, PublishedRecord, ScoredSignal, SignalOutcome } from "../domain/track.ts";

/**
 * What came of a signal decided at the close of bar `at` of a series, at the horizons whose bars exist. Prices of the
 * signal are brought to the series by its close, which a later split has changed.
 */
export function outcomesOf(
  signal: Pick<LoggedSignal, "direction" | "stop" | "target" | "close">,
  {
    bars,
    at,
    horizons,
    closedAt,
  }: {
    readonly bars: Bars;
    readonly at: number;
    readonly horizons: readonly Horizon[];
    /** When a bar of the series closed, ISO 8601 UTC. */
    readonly closedAt: (bar: number) => string;
  },
): readonly SignalOutcome[] {
  return horizons.flatMap((horizon) => {
    const change = closeReturn(bars.close, { at, horizon });
    if (change === null) return [];
    const r = horizon === TIME_EXIT ? resultOf(signal, bars, at) : null;
    return [{ horizon, known_at: closedAt(at + horizon), change, r }];
  });
}

function resultOf(
  { direction, stop, target, close }: Parameters<typeof outcomesOf>[0],
  bars: Bars,
  at: number,
): number | null {
  if (direction === "WAIT") return null;
  const scale = bars.close[at]! / close;
  return tradeResult(bars, at, { side: direction, stop: stop * scale, target: target * scale }).r;
}

/** The record of scored signals; null of none. */
export function publishedOf(
  scored: readonly ScoredSignal[],
  { model_version, computed_at }: Pick<PublishedRecord, "model_version" | "computed_at">,
): PublishedRecord | null {
  if (scored.length === 0) return null;
  const { first, last } = scored.reduce(
    ({ first, last }, { at }) => ({ first: Math.min(first, at), last: Math.max(last, at) }),
    { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY },
  );
  const horizons = scored.reduce(
    (count, { horizon }) => count.set(horizon, (count.get(horizon) ?? 0) + 1),
    new Map<Horizon, number>(),
  );
  return {
    model_version,
    computed_at,
    // a longer horizon has the outcomes of fewer signals
    signals: Math.max(...horizons.values()),
    from: new Date(first).toISOString(),
    until: new Date(last).toISOString(),
    rows: [...recordOf(scored)],
  };
}
