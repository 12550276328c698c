import { availableParallelism } from "node:os";
import { MessageChannel, type Transferable } from "node:worker_threads";
import type { Piscina } from "piscina";
import type { Compute, ComputeTask, TaskContext } from "../domain/compute-port.ts";
import type { Log } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { continueAs, isBusy, yieldToEventLoop } from "../lib/event-loop.ts";
import { createOutputCache } from "../lib/output-cache.ts";
import type { Job, JobResult } from "./compute-worker.ts";
import { createFairQueue } from "./fair-queue.ts";
import { pack } from "./pack.ts";
import { TASKS } from "./tasks.ts";

/** Maximum number of running tasks of each duration per thread. Long tasks of one thread yield to each other. */
const TASKS_PER_THREAD = 4;
/** Maximum number of waiting tasks of one account, of each duration. */
const MAX_WAITING = 256;
/** Time after which an idle thread ends, ms. */
const IDLE_MS = 60_000;
/** Number of consecutive thread failures after which no thread is used any more. */
const MAX_FAILURES = 2;

export interface ComputeOptions {
  /** Number of threads; 0 runs everything on the calling thread. */
  readonly threads: number;
  readonly log: Pick<Log, "warn">;
  /** File that each thread loads; null for no threads. Default: the compiled file; null when run from TypeScript sources. */
  readonly file?: string | null;
  /** Node options of the threads. Default: none, because the options of this process may not suit a thread. */
  readonly execArgv?: readonly string[];
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

/** A failure of the thread itself, not of its task. */
class ThreadFailure extends Error {}
const throwThreadFailure = (cause: unknown): never => {
  throw new ThreadFailure("The thread failed", { cause });
};

/**
 * Returns the default number of threads of each of `processes` processes: an equal share of all cores but one, which is
 * left for the event loops; at least 1.
 */
export const defaultThreads = (processes: number): number =>
  Math.max(1, Math.floor((availableParallelism() - 1) / processes));

const compiledFile = (): string | null =>
  import.meta.url.endsWith(".js") ? new URL("./compute-worker.js", import.meta.url).href : null;

/** Creates threads for the tasks in `tasks.ts`. A task whose thread fails runs on the calling thread. */
export function createCompute({
  threads,
  log,
  file = compiledFile(),
  execArgv = [],
}: ComputeOptions): ComputePool {
  const total = TASKS_PER_THREAD * Math.max(1, threads);
  const queues = {
    short: createFairQueue({ total, perAccount: total, waitingPerAccount: MAX_WAITING }),
    long: createFairQueue({ total, perAccount: threads + 1, waitingPerAccount: MAX_WAITING }),
  };
  const outputs = createOutputCache("computed outputs");
  const closing = new AbortController();
  /** Aborted when a thread cannot start; replaced by a new one each time. */
  let startFailure = new AbortController();
  let pool: Promise<Piscina> | null = null;
  let isStarted = false;
  let failures = 0;

  const open = async (): Promise<Piscina> => {
    const { Piscina } = await import("piscina");
    const opened: Piscina = new Piscina({
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      execArgv: [...execArgv],
      concurrentTasksPerWorker: 2 * TASKS_PER_THREAD,
      // a thread that waits with Atomics would not see the messages of its running tasks
      atomics: "disabled",
    });
    // the tasks that wait for a thread that cannot start would wait forever
    return opened.on("error", (cause) => {
      failures++;
      log.warn("compute_thread", { cause });
      startFailure.abort(cause);
      startFailure = new AbortController();
    });
  };
  const usesThreads = ({ duration }: Pick<ComputeTask<never, object>, "duration">) =>
    file !== null && threads > 0 && failures < MAX_FAILURES && (isStarted || duration === "long");

  async function runInThread<Input, Output extends object>(
    task: ComputeTask<Input, Output>,
    input: Input,
    { signal, progress }: Partial<TaskContext>,
  ): Promise<Output> {
    pool ??= open();
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
        .run(job, { filename: file, signal: startFailure.signal, transferList: transferList as never })
        .catch(throwThreadFailure);
      failures = 0;
      signal?.throwIfAborted();
      if ("unexpected" in result) throw result.unexpected;
      if ("toolError" in result) {
        const { code, message, hint, command, data } = result.toolError;
        throw new ToolError(code, message, {
          ...(hint && { hint }),
          ...(command && { command }),
          ...(data && { data }),
        });
      }
      return result.output as Output;
    } finally {
      signal?.removeEventListener("abort", cancel);
      port1?.close();
    }
  }

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
    run(task, input, context = {}) {
      if (TASKS.get(task.name) !== task) throw new Error(`"${task.name}" is not in the list of tasks`);
      const compute = () =>
        queues[task.duration](account, context.signal, async () => {
          closing.signal.throwIfAborted();
          if (!usesThreads(task)) return runInline(task, input, context);
          try {
            const output = await runInThread(task, input, context);
            const turn = continueAs(account);
            if (turn !== undefined) await turn;
            return output;
          } catch (cause) {
            closing.signal.throwIfAborted();
            if (!(cause instanceof ThreadFailure)) throw cause;
            failures++;
            log.warn("compute_thread", { task: task.name, cause: cause.cause });
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
      const opened = await pool;
      pool = null;
      await opened?.destroy();
    },
  };
}
