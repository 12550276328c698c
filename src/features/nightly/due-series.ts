import type { Ports } from "../../domain/ports.ts";
import type { SeriesKey } from "../../domain/track-record/track-port.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { groupBy } from "../../lib/group-by.ts";
import { CONSENSUS_BARS } from "../signal/gather.ts";
import { type PastSeries, pastSeries } from "./past.ts";

const CONCURRENCY = 4;

export type SeriesPorts = Pick<Ports, "symbols" | "bars" | "log">;

export interface ScoringRequest {
  /** Epoch ms; bars that closed later are ignored. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Symbols whose daily series are already loaded and cost no provider request. */
  readonly held: ReadonlySet<string>;
  /** Maximum number of other series to request. */
  readonly maxRequests: number;
}

/** A series with the due entries that it decides. */
export interface DueSeries<Due extends SeriesKey> extends SeriesKey {
  readonly due: readonly Due[];
}

/** Groups due entries by series: those already loaded, and at most `maxRequests` others. */
export function seriesOf<Due extends SeriesKey>(
  due: readonly Due[],
  { held, maxRequests }: Pick<ScoringRequest, "held" | "maxRequests">,
): readonly DueSeries<Due>[] {
  const groups = groupBy(due, ({ symbol, timeframe }) => `${symbol}|${timeframe}`);
  const all = [...groups.values()].map((ofSeries): DueSeries<Due> => {
    const { symbol, timeframe } = ofSeries[0]!;
    return { symbol, timeframe, due: ofSeries };
  });
  const isHeld = ({ symbol, timeframe }: SeriesKey) => timeframe === "1d" && held.has(symbol);
  return [...all.filter(isHeld), ...all.filter((one) => !isHeld(one)).slice(0, maxRequests)];
}

/** Calls `work` with each series and its bars. Skips series that cannot be read. */
export async function forEachSeries<Key extends SeriesKey>(
  all: readonly Key[],
  work: (one: Key, past: PastSeries) => Promise<void>,
  { now, signal }: Pick<ScoringRequest, "now" | "signal">,
  { symbols, bars, log }: SeriesPorts,
): Promise<void> {
  await forEachConcurrent(CONCURRENCY, all, async (one) => {
    signal.throwIfAborted();
    const { symbol, timeframe } = one;
    const instrument = symbols.find(symbol)?.instrument;
    if (instrument === undefined) return;
    const request = { timeframe, limit: CONSENSUS_BARS, asOf: now, signal };
    const past = await bars
      .history(instrument, request)
      .then((found) => pastSeries(instrument, found))
      .catch((cause: unknown) => {
        signal.throwIfAborted();
        log.warn("series_not_read", { symbol, timeframe, cause });
        return null;
      });
    if (past !== null) await work(one, past);
  });
}
