import { availableParallelism } from "node:os";
import type { Compute, ComputeTask, TaskContext } from "../domain/compute-port.ts";
import type { Log } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { continueAs, isBusy, yieldToEventLoop } from "../lib/event-loop.ts";
import { createOutputCache } from "../lib/output-cache.ts";
import { createFairQueue } from "./fair-queue.ts";
import { TASKS } from "./tasks.ts";
import { createThreadPool, ThreadFailure } from "./thread-pool.ts";

/** Maximum number of running tasks of each duration per thread. Long tasks of one thread yield to each other. */
const TASKS_PER_THREAD = 4;
/** Maximum number of waiting tasks of one account, of each duration. */
const MAX_WAITING = 256;
/** Maximum heap of a thread, MB. */
const MAX_THREAD_MB = 1_024;

export interface ComputeOptions {
  /** Number of threads; 0 runs everything on the calling thread. */
  readonly threads: number;
  readonly log: Pick<Log, "warn">;
  /** File that each thread loads; null for no threads. Default: the compiled file; null when run from TypeScript sources. */
  readonly file?: string | null;
  /** Node options of the threads. Default: none, because the options of this process may not suit a thread. */
  readonly execArgv?: readonly string[];
  /** Maximum heap of a thread, MB. Default: 1,024. */
  readonly memoryMb?: number;
  /** Monotonic time, ms. Default: that of the process. */
  readonly now?: () => number;
}

export interface ComputePool extends Compute {
  /**
   * Lets threads run short tasks too. Until then these run on the calling thread, because a short command would end
   * before a thread has started.
   */
  start(): void;
  /** Ends all threads; running tasks reject. */
  close(): Promise<void>;
}

/**
 * Returns the default number of threads of each of `processes` processes: an equal share of all cores but one, which is
 * left for the event loops; at least 1.
 */
export const defaultThreads = (processes: number): number =>
  Math.max(1, Math.floor((availableParallelism() - 1) / processes));

const compiledFile = (): string | null =>
  import.meta.url.endsWith(".js") ? new URL("./compute-worker.js", import.meta.url).href : null;

/**
 * Creates threads for the tasks in `tasks.ts`. A task whose thread fails runs on the calling thread, as do those of the
 * next half minute if threads fail repeatedly; one whose thread ran out of memory never does.
 */
export function createCompute({
  threads,
  log,
  file = compiledFile(),
  execArgv = [],
  memoryMb = MAX_THREAD_MB,
  now = () => performance.now(),
}: ComputeOptions): ComputePool {
  const total = TASKS_PER_THREAD * Math.max(1, threads);
  const queues = {
    short: createFairQueue({ total, perAccount: total, waitingPerAccount: MAX_WAITING }),
    long: createFairQueue({ total, perAccount: threads + 1, waitingPerAccount: MAX_WAITING }),
  };
  const outputs = createOutputCache("computed outputs");
  const closing = new AbortController();
  const tasksPerThread = 2 * TASKS_PER_THREAD;
  const pool =
    file === null || threads === 0
      ? null
      : createThreadPool({ threads, tasksPerThread, memoryMb, log, file, execArgv, now });
  let isStarted = false;

  async function runInline<Input, Output extends object>(
    task: ComputeTask<Input, Output>,
    input: Input,
    context: Partial<TaskContext>,
  ): Promise<Output> {
    if (isBusy()) await yieldToEventLoop();
    const { signal = closing.signal, progress = () => {} } = context;
    signal.throwIfAborted();
    return task.run(input, { signal, progress });
  }

  const forAccount = (account: string): Compute => ({
    of: forAccount,
    health: () => ({
      ...(pool?.health() ?? { paused_s: null, refused_for_memory: 0 }),
      waiting: queues.short.waiting() + queues.long.waiting(),
    }),
    run(task, input, context = {}) {
      if (TASKS.get(task.name) !== task) throw new Error(`"${task.name}" is not in the list of tasks`);
      const compute = () =>
        queues[task.duration](account, context.signal, async () => {
          closing.signal.throwIfAborted();
          if (pool?.isAvailable() !== true || !(isStarted || task.duration === "long"))
            return runInline(task, input, context);
          try {
            const output = await pool.run(task, input, context);
            const turn = continueAs(account);
            if (turn !== undefined) await turn;
            return output;
          } catch (cause) {
            closing.signal.throwIfAborted();
            if (!(cause instanceof ThreadFailure)) throw cause;
            return runInline(task, input, context);
          }
        });
      return task.keyOf === undefined
        ? compute()
        : outputs.remember(`${task.name} ${task.keyOf(input)}`, compute);
    },
  });

  return {
    ...forAccount(""),
    start() {
      isStarted = true;
    },
    async close() {
      closing.abort(new ToolError("CANCELLED", "The server is stopping"));
      await pool?.close();
    },
  };
}
