import { setTimeout as sleep } from "node:timers/promises";
import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { JobHandler, JobStatus, Jobs, TakenJob } from "../../domain/jobs-port.ts";
import type { Log } from "../../domain/ports.ts";
import type { ReplayReport, ReplayRequest, TrackRepository } from "../../domain/track-record/track-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { sharedSignal } from "../../lib/shared-signal.ts";
import type { GatherPorts } from "../signal/gather.ts";
import { openedRuns } from "./opened-runs.ts";
import { type ClosesPart, openReplay, type ReplayRun } from "./replay-run.ts";
import { sharedWork } from "./shared-work.ts";

/** Jobs that each compute and write some closes of a replay. Their run is the universe: a new replay replaces the earlier one. */
export const REPLAY = "replay_shard";
/**
 * Time for which a process that reads other bars than a replay takes no part of it. Shorter than the 20 s after which jobs
 * renew a lease, because a job that was given back would be reported as lost.
 */
const PAUSE_MS = 15_000;

interface ReplayPart extends ClosesPart, Pick<ReplayRequest, "universe" | "from" | "every"> {
  /** Id of the replay. */
  readonly id: string;
  /** Content of the replay; a process that has another one would compute other signals. */
  readonly content: string;
}

/** What is stored of a part with its end. */
interface PartResult {
  readonly signals: number;
  readonly outcomes: number;
}

export interface ReplayPorts extends GatherPorts {
  readonly repository: Pick<TrackRepository, "endReplay">;
  readonly jobs: Jobs;
  readonly log: Log;
}

/** Called with the number of closes of a part that are computed. */
type OnClose = (part: ClosesPart, done: number) => void;

/** Result of a replay, without the track record built from it. */
export type ReplaySummary = Omit<ReplayReport, "record">;

/**
 * Creates the replays of one process, which also computes parts of replays that other processes began. `partSize`: number
 * of signals that a job computes and writes. Default: 2,000.
 */
export function createReplays(ports: ReplayPorts, partSize?: number) {
  const { jobs, repository, log } = ports;
  const own = new Map<string, { readonly run: ReplayRun; readonly onClose: OnClose }>();
  const others = openedRuns<ReplayRun | null>();

  async function computePart(job: TakenJob, run: ReplayRun, signal: AbortSignal): Promise<boolean> {
    const part = job.payload as ReplayPart;
    const onClose = (done: number) => own.get(part.id)?.onClose(part, done);
    const replayed = await run.compute(part, { runId: part.id, signal, onClose });
    signal.throwIfAborted();
    return repository.endReplay(job, replayed);
  }

  /** Opens a replay that another process began; null if this process cannot read the same bars. */
  async function openOther(part: ReplayPart, signal: AbortSignal): Promise<ReplayRun | null> {
    const { universe, from, every } = part;
    try {
      const run = await openReplay({ universe, from, every, signal }, ports);
      if (run.content === part.content) return run;
      log.warn("replay_differs", { universe });
    } catch (cause) {
      signal.throwIfAborted();
      log.warn("replay_differs", { universe, cause });
    }
    return null;
  }

  /** Removes the parts of a replay, unless another one has replaced them. */
  async function removeParts(id: string, universe: string): Promise<void> {
    if (areOf(await jobs.list(REPLAY, universe), id)) await jobs.remove(REPLAY, universe);
  }

  const handle: JobHandler = async (job, signal) => {
    const part = job.payload as ReplayPart;
    const replay = own.get(part.id);
    if (replay !== undefined) return computePart(job, replay.run, signal);
    return others(
      part.id,
      () => openOther(part, signal),
      async (run) => {
        if (run !== null) return computePart(job, run, signal);
        await jobs.release(job);
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
        return true;
      },
    );
  };
  /** Makes this process do parts of replays until the result is called. */
  const take = sharedWork(() => jobs.work(REPLAY, handle, { concurrency: 1 }));

  return {
    take,
    /**
     * Computes the signals of a universe at its past closes, together with the other processes that take parts of replays.
     * Every input, including ranks, is as it was known at that close; outcomes are computed from later bars.
     * Rejects like `TrackRecordBuilder.replay`.
     */
    async replay(
      request: ReplayRequest & { readonly id: string; readonly signal: AbortSignal },
    ): Promise<ReplaySummary> {
      const { id, universe, from, every } = request;
      const run = await openReplay(request, ports);
      const { moments, members, failures, content } = run;
      const parts = run.parts(partSize).map((part): ReplayPart => {
        return { ...part, id, universe, from, every, content };
      });
      const failing = new AbortController();
      const signal = sharedSignal(AbortSignal.any([request.signal, failing.signal]));
      const closes = new Map<number, number>();
      let done = 0;
      const onClose: OnClose = ({ first }, count) => {
        const before = closes.get(first) ?? 0;
        closes.set(first, count);
        done += count - before;
        const step = { done, total: moments.length, message: "closes replayed" };
        if (count !== before) request.progress?.(step);
      };
      const onChange = (all: readonly JobStatus[]) => {
        if (!areOf(all, id)) return failing.abort(replaced(universe));
        const dead = all.filter(({ state }) => state === "dead");
        if (dead.length > 0) return failing.abort(deadParts(universe, dead));
        for (const [i, { state }] of all.entries())
          if (state === "done") onClose(parts[i]!, parts[i]!.closes);
      };
      own.set(id, { run, onClose });
      try {
        await jobs.replace(REPLAY, universe, parts);
        const stop = take();
        const ended = await jobs.settled(REPLAY, universe, { signal, onChange }).finally(stop);
        signal.throwIfAborted();
        // another replay may have removed the parts between two looks at them
        if (!areOf(ended, id)) throw replaced(universe);
        const results = ended.map(({ result }) => result as PartResult);
        return {
          run_id: id,
          universe,
          model_version: MODEL_VERSION,
          moments: moments.length,
          from: new Date(moments[0]!).toISOString(),
          until: new Date(moments.at(-1)!).toISOString(),
          symbols: members.length,
          signals: results.reduce((sum, { signals }) => sum + signals, 0),
          outcomes: results.reduce((sum, { outcomes }) => sum + outcomes, 0),
          failures,
        };
      } finally {
        own.delete(id);
        await removeParts(id, universe).catch((cause: unknown) =>
          log.warn("replay_parts_left", { universe, cause }),
        );
      }
    },
  };
}

const areOf = (jobs: readonly JobStatus[], id: string): boolean =>
  jobs.length > 0 && jobs.every(({ payload }) => (payload as ReplayPart).id === id);

const replaced = (universe: string): ToolError =>
  new ToolError("CONFLICT", `Another replay over ${universe} has been started`, {
    hint: "Wait until it has ended.",
  });

const deadParts = (universe: string, dead: readonly JobStatus[]): ToolError =>
  new ToolError("CONFLICT", `A part of the replay over ${universe} failed each time: ${dead[0]!.error}`, {
    hint: "Remove the cause and start the replay again.",
  });
