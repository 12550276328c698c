import type { JobHandler, JobStatus, Jobs } from "../../domain/jobs-port.ts";
import type {
  DueOutcome,
  DueSince,
  StoredOutcome,
  TrackRepository,
} from "../../domain/track-record/track-port.ts";
import { outcomesOf } from "../track-record/outcomes.ts";
import {
  type DueSeries,
  forEachSeries,
  type ScoringRequest,
  type SeriesPorts,
  seriesOf,
} from "./due-series.ts";
import { closedBy, type PastSeries } from "./past.ts";
import { sharedWork } from "./shared-work.ts";

/** Jobs that each store the due outcomes of a batch of series, with their number as the result. */
export const OUTCOMES = "nightly_outcomes";
/** Number of series of a job, whose outcomes are written in one transaction. */
const BATCH_SIZE = 16;

interface Batch {
  /** Epoch ms; bars that closed later are ignored. */
  readonly now: number;
  readonly series: readonly DueSince[];
}

interface ScoringPorts extends SeriesPorts {
  readonly repository: Pick<TrackRepository, "due" | "dueOf" | "score">;
  readonly jobs: Jobs;
}

/** Creates the scoring of signals and odds whose later bars now exist, in one of the processes that share it. */
export function createScoring({ repository, jobs, ...ports }: ScoringPorts) {
  const handle: JobHandler = async (job, signal) => {
    const { now, series } = job.payload as Batch;
    const found: StoredOutcome[] = [];
    await forEachSeries(
      series,
      async (one, past) => {
        for (const due of await repository.dueOf(one, now)) found.push(...outcomesIn(past, due));
      },
      { now, signal },
      ports,
    );
    signal.throwIfAborted();
    return (await repository.score(found, job)) !== null;
  };
  /** Makes this process score until the result is called. */
  const take = sharedWork(() => jobs.work(OUTCOMES, handle, { concurrency: 1 }));

  return {
    take,
    /**
     * Computes and stores the due outcomes together with the other processes of the installation. Returns the number of
     * new ones, also of an earlier attempt of the run. Skips series that cannot be read, and batches that failed each time.
     */
    async score(run: string, request: ScoringRequest): Promise<number> {
      const { now, signal } = request;
      // stored by an interrupted attempt of this run, which has not published the record
      const earlier = outcomesAdded(await jobs.list(OUTCOMES, run));
      const series = seriesOf(await repository.due(now), request).map(sinceOf);
      const batches = Array.from({ length: Math.ceil(series.length / BATCH_SIZE) }, (_, i): Batch => {
        return { now, series: series.slice(i * BATCH_SIZE, (i + 1) * BATCH_SIZE) };
      });
      await jobs.replace(OUTCOMES, run, batches);
      const stop = take();
      const ended = await jobs.settled(OUTCOMES, run, { signal, onChange: () => {} }).finally(stop);
      const failed = ended.filter(({ state }) => state === "dead");
      if (failed.length === 0) await jobs.remove(OUTCOMES, run);
      else ports.log.warn("outcomes_failed", { run_id: run, jobs: failed.length, error: failed[0]!.error });
      return earlier + outcomesAdded(ended);
    },
  };
}

const outcomesAdded = (jobs: readonly JobStatus[]): number =>
  jobs.reduce((sum, { state, result }) => sum + (state === "done" ? (result as number) : 0), 0);

function sinceOf({ symbol, timeframe, due }: DueSeries<DueOutcome>): DueSince {
  const times = due.map(({ decided_at }) => decided_at).sort();
  return { symbol, timeframe, since: times[0]! };
}

/** Returns the outcomes of a decision at the close of one of these bars. */
function outcomesIn(
  { series, closes, ranges }: PastSeries,
  { id, decided_at, signal, horizons }: DueOutcome,
): readonly StoredOutcome[] {
  const decided = Date.parse(decided_at);
  const at = closedBy(closes, decided) - 1;
  if (closes[at] !== decided) return [];
  const closedAt = (bar: number) => new Date(closes[bar]!).toISOString();
  const outcomes = outcomesOf(signal, { bars: series.bars, at, horizons, atr: ranges, closedAt });
  return outcomes.map((outcome) => ({ ...outcome, id }));
}
