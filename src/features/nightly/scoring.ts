import type { Ports } from "../../domain/ports.ts";
import type { SignalOutcome } from "../../domain/track-record/track.ts";
import type { DueOutcome, TrackRepository } from "../../domain/track-record/track-port.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { groupBy } from "../../lib/group-by.ts";
import { CONSENSUS_BARS } from "../signal/gather.ts";
import { outcomesOf } from "../track-record/outcomes.ts";
import { closedBy, type PastSeries, pastSeries } from "./past.ts";

const CONCURRENCY = 4;

type SeriesPorts = Pick<Ports, "symbols" | "bars" | "log">;
interface ScoringPorts extends SeriesPorts {
  readonly repository: TrackRepository;
}

export interface ScoringRequest {
  /** Epoch ms; bars that closed later are ignored. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Symbols whose daily series are already loaded and cost no provider request. */
  readonly held: ReadonlySet<string>;
  /** Maximum number of other series to request. */
  readonly maxRequests: number;
}

/**
 * Stores the outcomes of signals and odds whose later bars now exist and returns the number of new outcomes. Skips
 * series that cannot be read.
 */
export async function scoreDue(
  request: ScoringRequest,
  { repository, ...ports }: ScoringPorts,
): Promise<number> {
  let added = 0;
  await forEachSeries(
    await repository.due(request.now),
    async (group, { series, closes, ranges }) => {
      const found: (SignalOutcome & { readonly id: string })[] = [];
      const closedAt = (bar: number) => new Date(closes[bar]!).toISOString();
      for (const one of group) {
        const decided = Date.parse(one.decided_at);
        const at = closedBy(closes, decided) - 1;
        if (closes[at] !== decided) continue;
        const outcomes = outcomesOf(one.signal, {
          bars: series.bars,
          at,
          horizons: one.horizons,
          atr: ranges,
          closedAt,
        });
        found.push(...outcomes.map((outcome) => ({ ...outcome, id: one.id })));
      }
      if (found.length > 0) added += await repository.score(found);
    },
    request,
    ports,
  );
  return added;
}

/** Calls `work` with the due entries of each symbol and timeframe and their series. Skips series that cannot be read. */
export async function forEachSeries<Due extends Pick<DueOutcome, "symbol" | "timeframe">>(
  due: readonly Due[],
  work: (group: readonly Due[], series: PastSeries) => Promise<void>,
  { now, signal, held, maxRequests }: ScoringRequest,
  { symbols, bars, log }: SeriesPorts,
): Promise<void> {
  const groups = groupBy(due, ({ symbol, timeframe }) => `${symbol}|${timeframe}`);
  const free = ({ symbol, timeframe }: Due) => timeframe === "1d" && held.has(symbol);
  const all = [...groups.values()];
  const selected = [
    ...all.filter(([one]) => free(one!)),
    ...all.filter(([one]) => !free(one!)).slice(0, maxRequests),
  ];
  await forEachConcurrent(CONCURRENCY, selected, async (group) => {
    signal.throwIfAborted();
    const [{ symbol, timeframe }] = group as [Due];
    const instrument = symbols.find(symbol)?.instrument;
    if (instrument === undefined) return;
    const request = { timeframe, limit: CONSENSUS_BARS, asOf: now, signal };
    const series = await bars
      .history(instrument, request)
      .then((found) => pastSeries(instrument, found))
      .catch((cause: unknown) => {
        signal.throwIfAborted();
        log.warn("series_not_read", { symbol, timeframe, cause });
        return null;
      });
    if (series !== null) await work(group, series);
  });
}
