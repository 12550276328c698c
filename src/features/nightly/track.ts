import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { Jobs } from "../../domain/jobs-port.ts";
import type { RunHead } from "../../domain/nightly/engine.ts";
import type { Ports } from "../../domain/ports.ts";
import type { CallRepository } from "../../domain/track-record/calls-port.ts";
import type { PublishedRecord } from "../../domain/track-record/track.ts";
import type { TrackRecordBuilder, TrackRepository } from "../../domain/track-record/track-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { GatherPorts } from "../signal/gather.ts";
import { type LogOrigin, rowSignal } from "../signal/logged.ts";
import { oddsRecordOf } from "../track-record/odds-record.ts";
import { publishedOf } from "../track-record/outcomes.ts";
import { createReplays } from "./replay.ts";
import type { ComputedRows, RunFindings } from "./run-ports.ts";
import { createScoring } from "./scoring.ts";
import { settleCalls } from "./settle-calls.ts";

/**
 * Maximum number of series that settling requests in a night besides those of the run, when each costs a provider request;
 * scoring may request as many again.
 */
const MAX_SERIES_REQUESTS = 100;

export interface TrackPorts extends GatherPorts, Pick<Ports, "clock" | "ids" | "log"> {
  readonly repository: TrackRepository;
  readonly calls: CallRepository;
  /** Parts of the scoring and of replays, for any process of the installation. */
  readonly jobs: Jobs;
}

export interface NightlyTrack extends TrackRecordBuilder {
  /** Stores the odds of computed rows, whose signals `afterRun` logs. */
  logForecasts(computed: ComputedRows): Promise<void>;
  /** Logs the signals of a run, settles checked orders and claims, scores due signals and republishes the record when any were scored. */
  afterRun(found: RunFindings): Promise<void>;
  /** Makes this process score signals of the runs that other processes began, until the result is called. */
  takeScoring(): () => Promise<void>;
  /** Makes this process compute parts of the replays that other processes began, until the result is called. */
  takeReplays(): () => Promise<void>;
}

/**
 * Creates the track record of one market. The signals of a run over a file universe count as served, because a user
 * requested it.
 */
export function createTrack(ports: TrackPorts): NightlyTrack {
  const { repository, calls, clock, ids, log, symbols, market } = ports;
  const scoring = createScoring(ports);
  const replays = createReplays(ports);

  async function publish(): Promise<PublishedRecord | null> {
    const model = { timeframe: "1d", model_version: MODEL_VERSION } as const;
    const computed_at = clock.now().toISOString();
    const record = await publishedOf(repository.scored(model), { ...model, computed_at });
    if (record !== null) await repository.publish(model.timeframe, record);
    const odds = await oddsRecordOf((timeframe) => repository.observedForecasts(timeframe), computed_at);
    if (odds !== null) await repository.publishOdds(odds);
    return record;
  }

  return {
    logForecasts: ({ head, rows }) =>
      repository.logForecasts(
        rows.map(({ row, forecast }) => ({ ...rowSignal(row, head.timeframe, originOf(head)), forecast })),
      ),

    async afterRun({ head, rows, bars, signal }) {
      const origin = originOf(head);
      await repository.log(rows.map((row) => rowSignal(row, head.timeframe, origin)));
      const request = {
        now: Date.parse(head.as_of),
        signal,
        held: new Set(rows.map(({ symbol }) => symbol)),
        maxRequests: market.mode === "live" ? MAX_SERIES_REQUESTS : Number.POSITIVE_INFINITY,
      };
      await settleCalls(request, { symbols, bars, calls, clock, log });
      if ((await scoring.score(head.run_id, request)) > 0) await publish();
    },

    takeScoring: scoring.take,
    takeReplays: replays.take,

    async replay(request) {
      const signal = request.signal ?? new AbortController().signal;
      try {
        const replayed = await replays.replay({ ...request, id: ids.uuid(), signal });
        return { ...replayed, record: await publish() };
      } catch (cause) {
        if (!signal.aborted) throw cause;
        throw new ToolError("CANCELLED", "The replay was interrupted; written signals are stored", {
          hint: "Start the replay again to complete it.",
          cause,
        });
      }
    },
  };
}

const originOf = ({ universe, run_id }: RunHead): LogOrigin => ({
  origin: universe.startsWith("file:") ? "served" : "scheduled",
  run_id,
});
