import { availableParallelism } from "node:os";
import { type RunHead, UNIVERSES } from "../../domain/nightly/engine.ts";
import type { Engine, RunReport, RunRequest, RunUniverse } from "../../domain/nightly/engine-port.ts";
import type { RunStatus } from "../../domain/nightly/run-repository-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isTransient } from "./cached-bars.ts";
import { modelVersion } from "./engine-row.ts";
import { compiledSpawn, createPool, type Pool, type Spawn } from "./pool.ts";
import { type RunPorts, runUniverse } from "./run.ts";
import { lastRun, nextRun, type Plan, plansOf } from "./schedule.ts";
import { closeOf, membersOf } from "./universe.ts";

/** A machine that slept, or whose clock was set, notices after so long. */
const WAKE_MS = 5 * 60_000;
const RECENT_RUNS = 20;
/** After which time a run is tried again that the sources did not let finish, and how often. */
const RETRY_DELAY_MS = 15 * 60_000;
const MAX_RETRIES = 12;

export interface EngineOptions extends RunPorts {
  /** Starts a thread; null computes on this one. Threads of the compiled program unless said. */
  readonly spawn?: Spawn | null;
  /** Threads at the most; the cores of this machine unless said. */
  readonly threads?: number;
}

export interface NightlyEngine extends Engine {
  /**
   * From now on runs what is due when it is due, and at once what was missed where prices cost no calls; a run that was
   * stopped goes on, and one that the sources did not let finish is tried again until the next is due.
   */
  start(): void;
  /** Stops the current run; its results so far stay stored. */
  close(): Promise<void>;
}

/** The engine of one market. Nothing runs before the first request or `start()`. */
export function createEngine({
  spawn = compiledSpawn(),
  threads = availableParallelism(),
  ...ports
}: EngineOptions): NightlyEngine {
  const { repository, clock, log, market, symbols } = ports;
  const closing = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  // one after another: a run uses every core
  let last: Promise<unknown> = Promise.resolve();

  const open = (tasks: number): Pool =>
    createPool({
      spawn,
      size: Math.min(threads, tasks),
      failed: (cause) => log.warn("engine_thread", { cause }),
    });

  function run(request: RunRequest): Promise<RunReport> {
    const signal = AbortSignal.any([closing.signal, ...(request.signal ? [request.signal] : [])]);
    const begun = last.then(async () => {
      try {
        signal.throwIfAborted();
        return await runUniverse({ ...request, signal }, ports, open);
      } catch (cause) {
        throw signal.aborted ? interrupted(request.universe.name, cause) : cause;
      }
    });
    last = begun.catch(() => undefined);
    return begun;
  }

  /** The newest runs, apart from those of a time to come: a clock that was ahead has written them, and they stand for no night. */
  async function runsKnown() {
    const now = clock.now().getTime();
    const isPast = ({ started_at, runAt }: RunStatus) => Date.parse(runAt ?? started_at) <= now;
    for (let most = RECENT_RUNS; ; most *= 2) {
      const runs = await repository.status(most);
      const past = runs.filter(isPast);
      if (past.length >= RECENT_RUNS || runs.length < most)
        return { past, ahead: runs.filter((one) => !isPast(one)) };
    }
  }

  async function warnOfRunsAhead(): Promise<void> {
    const { ahead } = await runsKnown();
    const [newest] = ahead
      .map(({ runAt, started_at }) => runAt ?? started_at)
      .sort()
      .reverse();
    if (newest !== undefined) log.warn("engine_runs_ahead", { runs: ahead.length, newest });
  }

  /** Runs a plan unless another process has begun to since it was due. At a start, and again, it goes on with what was stopped. */
  async function runDue({ universe }: Plan, due: number, when: RunTrigger): Promise<void> {
    const { past } = await runsKnown();
    const { content = null } = market;
    // what was found in other data stands for no night of these
    const ours = past.filter((one) => one.universe === universe && one.content === content);
    const since = ours.filter(({ started_at }) => Date.parse(started_at) >= due);
    const stopped = since.length > 0;
    if (since.some(({ runAt }) => runAt !== null) || (when === "due" && stopped)) return;
    // a start calls no vendor, except to go on with what was begun
    if (when === "start" && market.mode === "live" && !stopped) return;
    const { head, rows, failures } = await run({ universe: { name: universe }, resume: stopped });
    log.info("engine_run", { run_id: head.run_id, universe, rows: rows.length, failures: failures.length });
  }

  function keep(plan: Plan): void {
    const { universe } = plan;
    const guarded = (due: number, when: RunTrigger, again = 0): Promise<void> =>
      runDue(plan, due, when).catch((cause: unknown) => {
        if (closing.signal.aborted) return;
        log.warn("engine_run_failed", { universe, cause });
        if (!isTransient(cause) || again === MAX_RETRIES) return;
        const timer = setTimeout(() => {
          timers.delete(timer);
          // after the next one was due it would stand in its way
          if (!closing.signal.aborted && clock.now().getTime() < nextRun(plan, due))
            void guarded(due, "again", again + 1);
        }, RETRY_DELAY_MS).unref();
        timers.add(timer);
      });
    const wait = (due: number): void => {
      const left = due - clock.now().getTime();
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          if (closing.signal.aborted) return;
          const now = clock.now().getTime();
          if (now < due) return wait(due);
          void guarded(due, "due");
          wait(nextRun(plan, now));
        },
        Math.max(1, Math.min(left, WAKE_MS)),
      ).unref();
      timers.add(timer);
    };
    const now = clock.now().getTime();
    void guarded(lastRun(plan, now), "start");
    wait(nextRun(plan, now));
  }

  return {
    run,
    async stopped() {
      const now = clock.now().getTime();
      const heads = await repository.stopped({ model_version: modelVersion() });
      const head = heads.find(
        ({ as_of, content, members }) =>
          content === (market.content ?? null) && as_of === closeOf(members, now, ports),
      );
      return head === undefined ? null : universeOf(head);
    },
    status: (limit) => repository.status(limit),
    start() {
      void warnOfRunsAhead().catch((cause: unknown) => log.warn("engine_runs_unread", { cause }));
      for (const plan of plansOf(market.mode))
        if (membersOf({ name: plan.universe }, { symbols, market }).length > 0) keep(plan);
    },
    async close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
      await last;
    },
  };
}

type RunTrigger = "due" | "start" | "again";

/** A file's names are those it had when the run began. */
const universeOf = ({ universe, members }: RunHead): RunUniverse => {
  const name = UNIVERSES.find((one) => one === universe);
  return name === undefined ? { name: universe as `file:${string}`, symbols: members } : { name };
};

const interrupted = (universe: string, cause: unknown): ToolError =>
  new ToolError("CANCELLED", `The run over ${universe} was interrupted; what it had computed is kept`, {
    hint: `\`market-signal engine run${universe.startsWith("file:") ? "" : ` --universe ${universe}`} --resume\` goes on with it.`,
    cause,
  });
