import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import { type RunHead, UNIVERSES, type UniverseName } from "../../domain/nightly/engine.ts";
import type { Engine, RunReport, RunRequest, RunUniverse } from "../../domain/nightly/engine-port.ts";
import type { RunWatch } from "../../domain/nightly/engine-runs-port.ts";
import type { RunStatus } from "../../domain/nightly/run-repository-port.ts";
import { traced } from "../../domain/tracing-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { sharedSignal } from "../../lib/shared-signal.ts";
import { isTransient } from "./cached-bars.ts";
import { resumeRuns } from "./resume-run.ts";
import { runUniverse } from "./run.ts";
import { runNotesOnRows, servedRow, staleRunNotes } from "./run-notes.ts";
import type { RunPorts } from "./run-ports.ts";
import { createRunWatch } from "./run-watch.ts";
import { lastRun, nextRun, type Plan, plansOf } from "./schedule.ts";
import { createShards } from "./shards.ts";
import { closeOf, membersOf } from "./universe.ts";

/** Maximum timer duration; bounds the delay in noticing a clock change or system sleep. */
const WAKE_MS = 5 * 60_000;
const RECENT_RUNS = 20;
/** Delay and maximum number of retries of a run that failed because of a provider. */
const RETRY_DELAY_MS = 15 * 60_000;
const MAX_RETRIES = 12;

export interface NightlyEngine extends Engine {
  /**
   * Starts the schedule. The first run of a market starts immediately, as do missed runs unless prices are live.
   * Interrupted runs are resumed, and runs that failed because of a provider are retried until the next run is due.
   * Returns a function that ends the schedule and its current run; the results computed so far stay stored.
   */
  start(): () => Promise<void>;
  /** Makes this process compute parts of the runs that other processes began, until the engine is closed. */
  takeShards(): void;
  /** Returns the head of an unfinished run that can be resumed (same close, data and model); null for any other. */
  resumable(run: string): Promise<RunHead | null>;
  /** The run in progress and when it changes; none once the engine is closed. */
  readonly ongoing: RunWatch;
  /** Returns the universes without a finished run, which `start` computes at once, in that order. */
  firstRuns(): Promise<readonly { readonly universe: UniverseName; readonly members: number }[]>;
  /** Stops the current run; the results computed so far stay stored. */
  close(): Promise<void>;
}

/** Creates the engine of one market. No run starts before the first request or `start()`. */
export function createEngine(ports: RunPorts): NightlyEngine {
  const { repository, clock, log, market, symbols } = ports;
  const closing = new AbortController();
  // Runs are serialized, because a single run uses every thread.
  let last: Promise<unknown> = Promise.resolve();
  const watch = createRunWatch(clock);
  const shards = createShards(ports, sharedSignal(closing.signal));
  const watched = { ...ports, ...notifying(ports, watch.changed), shards };
  const stops = new Set<() => Promise<void>>();

  function run(request: RunRequest): Promise<RunReport> {
    const signal = sharedSignal(
      AbortSignal.any([closing.signal, ...(request.signal ? [request.signal] : [])]),
    );
    const current = last.then(async () => {
      try {
        signal.throwIfAborted();
        watch.begin();
        const progress: RunRequest["progress"] = (step) => {
          watch.step(step);
          request.progress?.(step);
        };
        const report = await traced(ports.tracer, "job nightly", {}, () =>
          runUniverse({ ...request, signal, progress }, watched),
        );
        return servedReport(report, clock.now());
      } catch (cause) {
        throw signal.aborted ? interrupted(request.universe.name, cause) : cause;
      }
    });
    last = current.catch(() => undefined);
    return watch.during(() => current);
  }

  /** Splits the newest runs into past runs and runs with a future time, written while the clock was ahead. */
  async function recentRuns() {
    const now = clock.now().getTime();
    const isPast = ({ started_at, runAt }: RunStatus) => Date.parse(runAt ?? started_at) <= now;
    for (let limit = RECENT_RUNS; ; limit *= 2) {
      const runs = await repository.status(limit);
      const past = runs.filter(isPast);
      if (past.length >= RECENT_RUNS || runs.length < limit)
        return { past, ahead: runs.filter((run) => !isPast(run)) };
    }
  }

  async function warnOfRunsAhead(): Promise<void> {
    const { ahead } = await recentRuns();
    const times = ahead.map(({ runAt, started_at }) => runAt ?? started_at).sort();
    const newest = times.at(-1);
    if (newest !== undefined) log.warn("engine_runs_ahead", { runs: ahead.length, newest });
  }

  /** Runs a plan unless a run has started since it was due. At startup and on retries, resumes an interrupted run. */
  async function runDue(
    { universe }: Plan,
    due: number,
    { when, signal }: { readonly when: RunTrigger; readonly signal: AbortSignal },
  ): Promise<void> {
    const { past } = await recentRuns();
    const { content = null } = market;
    // Ignore runs over other data.
    const ours = past.filter((run) => run.universe === universe && run.content === content);
    const since = ours.filter(({ started_at }) => Date.parse(started_at) >= due);
    const stopped = since.length > 0;
    if (since.some(({ runAt }) => runAt !== null) || (when === "due" && stopped)) return;
    const isFirst = !ours.some(({ runAt }) => runAt !== null);
    // A startup with live prices sends no provider requests, except for the first run and to resume a run.
    if (when === "start" && market.mode === "live" && !stopped && !isFirst) return;
    const { head, rows, failures } = await run({
      universe: { name: universe },
      resume: stopped,
      early: isFirst && market.mode === "live",
      signal,
    });
    log.info("engine_run", { run_id: head.run_id, universe, rows: rows.length, failures: failures.length });
  }

  function schedule(plan: Plan, signal: AbortSignal): void {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    /** Calls `work` after a delay with the current time, unless the schedule has ended by then. */
    const later = (ms: number, work: (now: number) => void): void => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!signal.aborted) work(clock.now().getTime());
      }, ms).unref();
      timers.add(timer);
    };
    signal.addEventListener("abort", () => {
      for (const timer of timers) clearTimeout(timer);
    });
    const { universe } = plan;
    const guarded = (due: number, when: RunTrigger, again = 0): Promise<void> =>
      runDue(plan, due, { when, signal }).catch((cause: unknown) => {
        if (signal.aborted) return;
        log.warn("engine_run_failed", { universe, ...failureFields(cause) });
        if (!isTransient(cause) || again === MAX_RETRIES) return;
        later(RETRY_DELAY_MS, (now) => {
          // Do not retry once the next run is due.
          if (now < nextRun(plan, due)) void guarded(due, "again", again + 1);
        });
      });
    const wait = (due: number): void => {
      const waitMs = due - clock.now().getTime();
      later(Math.max(1, Math.min(waitMs, WAKE_MS)), (now) => {
        if (now < due) return wait(due);
        void guarded(due, "due");
        wait(nextRun(plan, now));
      });
    };
    const now = clock.now().getTime();
    void watch.during(() => guarded(lastRun(plan, now), "start"));
    wait(nextRun(plan, now));
  }

  /** Lists the interrupted runs that can be resumed, newest first. */
  async function stoppedRuns(): Promise<readonly RunHead[]> {
    const now = clock.now().getTime();
    const heads = await repository.stopped({ model_version: MODEL_VERSION });
    return heads.filter(
      ({ as_of, content, members }) =>
        content === (market.content ?? null) && as_of === closeOf(members, now, ports),
    );
  }
  const resumable = async (run: string) => (await stoppedRuns()).find(({ run_id }) => run_id === run) ?? null;

  const sizeOf = (universe: UniverseName) => membersOf({ name: universe }, { symbols, market }).length;

  /** Lists the plans whose universe has members, the smallest first, so that its first results do not wait. */
  const plans = (): readonly Plan[] =>
    plansOf(market.mode)
      .filter(({ universe }) => sizeOf(universe) > 0)
      .sort((a, b) => sizeOf(a.universe) - sizeOf(b.universe));

  return {
    run,
    takeShards: () => void stops.add(shards.take()),
    ongoing: watch.watch,
    async stopped() {
      const [head] = await stoppedRuns();
      return head === undefined ? null : universeOf(head);
    },
    resumable,
    status: (limit) => repository.status(limit),
    start() {
      void warnOfRunsAhead().catch((cause: unknown) => log.warn("engine_runs_unread", { cause }));
      const ending = new AbortController();
      const signal = AbortSignal.any([closing.signal, ending.signal]);
      for (const plan of plans()) schedule(plan, signal);
      const stopResuming = resumeRuns({
        jobs: ports.jobs,
        async resumable(id) {
          await last;
          return resumable(id);
        },
        resume: (head, of) => run({ universe: universeOf(head), resume: true, signal: of }),
      });
      // also by `close`, whose interrupted run would count as failed otherwise
      stops.add(stopResuming);
      return async () => {
        ending.abort();
        stops.delete(stopResuming);
        await Promise.all([last, stopResuming()]);
      };
    },
    async firstRuns() {
      const { past } = await recentRuns();
      const { content = null } = market;
      const hasFinished = (universe: UniverseName) =>
        past.some((run) => run.universe === universe && run.content === content && run.runAt !== null);
      return plans().flatMap(({ universe }) =>
        hasFinished(universe) ? [] : [{ universe, members: sizeOf(universe) }],
      );
    },
    async close() {
      closing.abort();
      watch.close();
      const work = [...stops];
      stops.clear();
      await Promise.all(work.map((stop) => stop()));
      await last;
    },
  };
}

/** Returns the log fields of a failed run: code and message of an expected failure, the stack of any other. */
const failureFields = (cause: unknown) =>
  isTransient(cause) ? { code: (cause as ToolError).code, reason: (cause as ToolError).message } : { cause };

/** Wraps what writes the results of runs; calls `changed` when some were written, by any process. */
const notifying = (
  { repository, jobs }: RunPorts,
  changed: () => void,
): Pick<RunPorts, "repository" | "jobs"> => ({
  repository: {
    ...repository,
    async writeEarly(...args) {
      await repository.writeEarly(...args);
      changed();
    },
  },
  jobs: {
    ...jobs,
    settled: (kind, run, { signal, onChange }) =>
      jobs.settled(kind, run, {
        signal,
        onChange(ended) {
          onChange(ended);
          changed();
        },
      }),
  },
});

type RunTrigger = "due" | "start" | "again";

/** Returns the universe of a run; a file universe has the names that were in the file when the run began. */
const universeOf = ({ universe, members }: RunHead): RunUniverse => {
  const name = UNIVERSES.find((known) => known === universe);
  return name === undefined ? { name: universe as `file:${string}`, symbols: members } : { name };
};

const interrupted = (universe: string, cause: unknown): ToolError =>
  new ToolError("CANCELLED", `The run over ${universe} was interrupted; completed results are stored`, {
    hint: "The owner of the server can resume the run.",
    command: `market-signal engine run${universe.startsWith("file:") ? "" : ` --universe ${universe}`} --resume`,
    cause,
  });

/** Returns a report as it is shown: the tiers of stale bars are NEUTRAL, and notes name these bars. */
function servedReport(report: RunReport, now: Date): RunReport {
  const { head, rows } = report;
  const runs = [{ universe: head.universe, rows }];
  const stale_notes = [...staleRunNotes(runs, now), ...runNotesOnRows(rows, runs, now)];
  return {
    ...report,
    rows: rows.map((row) => servedRow(row, now)),
    ...(stale_notes.length > 0 && { stale_notes }),
  };
}
