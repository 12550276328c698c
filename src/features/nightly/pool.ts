import { Worker } from "node:worker_threads";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { digestOnce } from "../signal/inputs-hash.ts";
import { outcomeOf, type RowInputs } from "./engine-row.ts";
import { pack } from "./packed.ts";
import type { BatchOutcomes } from "./worker.ts";

/** Number of failed threads, without any success, after which no further threads are started. */
const MAX_FAILED_THREADS = 2;

/** Starts a thread that computes batches. */
export type Spawn = () => Worker;

/** Threads that compute outcomes; `compute` returns them in the order of the subjects. */
export interface Pool {
  /** Number of batches computed concurrently. */
  readonly size: number;
  compute(subjects: readonly RowInputs[]): Promise<BatchOutcomes>;
  close(): Promise<void>;
}

interface PoolOptions {
  readonly spawn: Spawn | null;
  readonly size: number;
  /** Called when a thread fails. */
  readonly failed: (cause: unknown) => void;
}

/**
 * Returns a function that starts threads of the compiled program; null when running from TypeScript sources, which
 * threads cannot load.
 */
export const compiledSpawn = (): Spawn | null =>
  import.meta.url.endsWith(".js") ? () => new Worker(new URL("./worker.js", import.meta.url)) : null;

/**
 * Creates a pool that starts threads on demand. When a thread fails, its batch is computed on the current thread;
 * without threads, all batches are.
 */
export function createPool({ spawn, size, failed }: PoolOptions): Pool {
  if (spawn === null || size < 1) return { size: 1, compute: computeInline, close: async () => {} };
  const threads = new Set<Worker>();
  const idle: Worker[] = [];
  const waiting: ((worker: Worker | null) => void)[] = [];
  let closed = false;
  let answers = 0;
  let failures = 0;

  /** Throws when the pool is closed: no thread would be started or released. */
  const mustBeOpen = (): void => {
    if (closed) throw new Error("The threads are closed");
  };
  const acquire = (): Promise<Worker | null> => {
    const worker = idle.pop();
    if (worker !== undefined) return Promise.resolve(worker);
    if (threads.size < size) return Promise.resolve(tryStart());
    return new Promise((take) => waiting.push(take));
  };
  const register = (worker: Worker): Worker => {
    threads.add(worker);
    worker.unref();
    // The pending batch reports why its thread ended, so this handler does nothing.
    worker
      .on("error", () => {})
      .once("exit", () => {
        threads.delete(worker);
        const index = idle.indexOf(worker);
        if (index !== -1) idle.splice(index, 1);
      });
    return worker;
  };
  const release = (worker: Worker): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(worker);
    else next(worker);
  };
  const replace = (worker: Worker): void => {
    threads.delete(worker);
    waiting.shift()?.(closed ? null : tryStart());
  };
  /** Starts a thread; null when that fails. */
  const tryStart = (): Worker | null => {
    try {
      return register(spawn());
    } catch (cause) {
      failures++;
      failed(cause);
      return null;
    }
  };

  return {
    size,
    async compute(subjects) {
      mustBeOpen();
      const worker = answers === 0 && failures >= MAX_FAILED_THREADS ? null : await acquire();
      mustBeOpen();
      if (worker === null) return computeInline(subjects);
      try {
        const outcomes = await computeOn(worker, subjects, () => closed);
        answers++;
        release(worker);
        return outcomes;
      } catch (cause) {
        replace(worker);
        if (closed) throw cause;
        failures++;
        failed(cause);
        return computeInline(subjects);
      }
    },
    async close() {
      closed = true;
      for (const take of waiting.splice(0)) take(null);
      await Promise.all([...threads].map((worker) => worker.terminate()));
    },
  };
}

/** Transfers a batch to a thread and waits for the outcomes. Until then, the thread keeps the process alive. */
function computeOn(
  worker: Worker,
  subjects: readonly RowInputs[],
  isEnded: () => boolean,
): Promise<BatchOutcomes> {
  const batch = pack(subjects);
  return new Promise((resolve, reject) => {
    const onExit = (code: number) => reject(new Error(`The thread ended with ${code}`));
    const cleanUp = () => {
      worker.off("message", onOutcomes).off("error", reject).off("exit", onExit);
      if (!isEnded()) worker.unref();
    };
    const onOutcomes = (outcomes: BatchOutcomes) => {
      cleanUp();
      resolve(outcomes);
    };
    worker.ref();
    worker.on("message", onOutcomes).once("error", reject).once("exit", onExit);
    worker.postMessage(batch, [batch.columns.buffer]);
  });
}

/** Computes on this thread, yielding to the event loop before each subject. */
async function computeInline(subjects: readonly RowInputs[]): Promise<BatchOutcomes> {
  const digest = digestOnce();
  const outcomes: BatchOutcomes[number][] = [];
  for (const subject of subjects) {
    await yieldToEventLoop();
    outcomes.push(outcomeOf(subject, digest));
  }
  return outcomes;
}
