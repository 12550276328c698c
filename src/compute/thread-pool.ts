import { MessageChannel, type Transferable } from "node:worker_threads";
import type { Piscina } from "piscina";
import type { ComputeHealth, ComputeTask, TaskContext } from "../domain/compute-port.ts";
import type { Log } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { isOutOfMemory } from "../lib/thread.ts";
import type { Job, JobResult } from "./compute-worker.ts";
import { createFairQueue } from "./fair-queue.ts";
import { pack } from "./pack.ts";

/** Time after which an idle thread ends, ms. */
const IDLE_MS = 60_000;
/** Number of consecutive thread failures after which the threads pause. */
const MAX_FAILURES = 2;
/** Length of the pause, ms; doubles with each further failure up to the maximum. */
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 600_000;

export interface ThreadPoolOptions {
  readonly threads: number;
  readonly tasksPerThread: number;
  /** Maximum heap of a thread, MB. */
  readonly memoryMb: number;
  readonly log: Pick<Log, "warn">;
  /** File that each thread loads. */
  readonly file: string;
  readonly execArgv: readonly string[];
  /** Monotonic time, ms. */
  readonly now: () => number;
}

/** Threads that run tasks. */
export interface ThreadPool {
  /** Returns false for a while after several failures in a row. */
  isAvailable(): boolean;
  /**
   * Runs a task. Rejects with the error of the task, with REFUSED if it needs more memory than a thread has, and with
   * `ThreadFailure` if the thread fails otherwise.
   */
  run<Input, Output extends object>(
    task: ComputeTask<Input, Output>,
    input: Input,
    context: Partial<TaskContext>,
  ): Promise<Output>;
  /** Returns the state of the threads. */
  health(): Omit<ComputeHealth, "waiting">;
  /** Ends all threads; running tasks reject. */
  close(): Promise<void>;
}

/** A failure of the thread itself, not of its task. */
export class ThreadFailure extends Error {}
/** The end of a thread that reached its limit of memory, while it ran this task and maybe others. */
class OutOfMemory extends Error {}

const throwThreadFailure = (cause: unknown): never => {
  if (isOutOfMemory(cause)) throw new OutOfMemory("The thread ran out of memory", { cause });
  throw new ThreadFailure("The thread failed", { cause });
};

/** Creates the threads; each starts with its first task. */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { threads, tasksPerThread, memoryMb, log, file, execArgv, now } = options;
  const oneAtATime = createFairQueue({ total: 1, perAccount: 1, waitingPerAccount: 1_000 });
  let shared: Promise<Piscina> | null = null;
  let alone: Promise<Piscina> | null = null;
  /** Threads from before the last pause, some of which may still run a task. */
  let retired: Promise<Piscina> | null = null;
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let refused = 0;

  function countFailure(cause: unknown, task?: string): void {
    failures++;
    log.warn("compute_thread", { ...(task !== undefined && { task }), cause });
    const excess = failures - MAX_FAILURES;
    if (excess < 0) return;
    pausedUntil = now() + Math.min(FIRST_PAUSE_MS * 2 ** excess, MAX_PAUSE_MS);
    // a thread that could not load its file would not load it again
    void end(retired);
    [retired, shared] = [shared, null];
  }

  const end = async (pool: Promise<Piscina> | null) => (await pool?.catch(() => null))?.destroy();

  /** Starts a thread in place of one that has ended: the waiting tasks alone start none. */
  async function replaceThread(pool: Promise<Piscina>): Promise<void> {
    const piscina = await pool;
    const emptyJob: Job = { task: "", input: null, port: null };
    while (piscina.queueSize > 0) await piscina.run(emptyJob, { filename: file }).catch(() => {});
  }

  const sharedSize = { maxThreads: threads, concurrentTasksPerWorker: tasksPerThread };
  const aloneSize = { maxThreads: 1, concurrentTasksPerWorker: 1 };
  const open = async (size: typeof sharedSize): Promise<Piscina> => {
    const { Piscina } = await import("piscina");
    const opened: Piscina = new Piscina({
      ...size,
      minThreads: 0,
      idleTimeout: IDLE_MS,
      execArgv: [...execArgv],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      // a thread that waits with Atomics would not see the messages of its running tasks
      atomics: "disabled",
    });
    // the tasks that wait for a thread that cannot start would wait forever
    return opened.on("error", (cause) => {
      countFailure(cause);
      if (size === sharedSize) shared = null;
      else alone = null;
      void opened.destroy();
    });
  };

  async function runIn<Input, Output extends object>(
    pool: Promise<Piscina>,
    task: ComputeTask<Input, Output>,
    input: Input,
    { signal, progress }: Partial<TaskContext>,
  ): Promise<Output> {
    const piscina = await pool.catch(throwThreadFailure);
    signal?.throwIfAborted();
    const { value, transfer } = pack(input);
    // the port also keeps the process of a command alive, which a starting thread does not
    const { port1, port2 } = task.duration === "long" ? new MessageChannel() : { port1: null, port2: null };
    port1?.on("message", (step) => progress?.(step));
    const cancel = () => port1?.postMessage(null);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const job: Job = { task: task.name, input: value, port: port2 };
      const transferList = [...transfer, ...(port2 === null ? [] : [port2])] as Transferable[];
      const result: JobResult = await piscina
        // with the file in the job, a file that fails to load rejects the job; otherwise threads would restart forever
        .run(job, { filename: file, transferList: transferList as never })
        .catch(throwThreadFailure);
      failures = 0;
      signal?.throwIfAborted();
      return outputOf<Output>(result);
    } finally {
      signal?.removeEventListener("abort", cancel);
      port1?.close();
    }
  }

  /** Runs a task whose thread ran out of memory once more, alone in a thread, to find out whether it was the cause. */
  function runAlone<Input, Output extends object>(
    ...[task, input, context]: Parameters<typeof runShared<Input, Output>>
  ): Promise<Output> {
    return oneAtATime("", context.signal, async () => {
      try {
        alone ??= open(aloneSize);
        return await runIn(alone, task, input, context);
      } catch (cause) {
        if (!(cause instanceof OutOfMemory || cause instanceof ThreadFailure)) throw cause;
        refused++;
        log.warn("compute_memory", { task: task.name, limit_mb: memoryMb, cause: cause.cause });
        throw new ToolError(
          "REFUSED",
          `The computation needs more memory than the ${memoryMb} MB that the server allows it`,
          { hint: "Request fewer symbols, or a shorter period.", data: { limit_mb: memoryMb } },
        );
      }
    });
  }

  async function runShared<Input, Output extends object>(
    task: ComputeTask<Input, Output>,
    input: Input,
    context: Partial<TaskContext>,
  ): Promise<Output> {
    shared ??= open(sharedSize);
    const pool = shared;
    try {
      return await runIn(pool, task, input, context);
    } catch (cause) {
      if (cause instanceof ThreadFailure) countFailure(cause.cause, task.name);
      else if (!(cause instanceof OutOfMemory)) throw cause;
      void replaceThread(pool).catch(() => {});
      if (cause instanceof OutOfMemory) return runAlone(task, input, context);
      throw cause;
    }
  }

  return {
    isAvailable: () => now() >= pausedUntil,
    run: runShared,
    health: () => {
      const ms = pausedUntil - now();
      return { paused_s: ms > 0 ? Math.ceil(ms / 1_000) : null, refused_for_memory: refused };
    },
    async close() {
      const opened = [shared, alone, retired];
      [shared, alone, retired] = [null, null, null];
      await Promise.all(opened.map(end));
    },
  };
}

/** Returns the output of a task. Throws its error. */
function outputOf<Output extends object>(result: JobResult): Output {
  if ("unexpected" in result) throw result.unexpected;
  if ("output" in result) return result.output as Output;
  const { code, message, hint, command, data } = result.toolError;
  throw new ToolError(code, message, {
    ...(hint && { hint }),
    ...(command && { command }),
    ...(data && { data }),
  });
}
