import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { ToolError } from "../../kernel/errors.ts";
import { isOutOfMemory, nextMessage } from "../../lib/thread.ts";
import { type FileTaskName, type RunFileTask, runHere } from "./file-tasks.ts";

/** Size of files from which a task runs in a thread, bytes; smaller ones take about 90 ms if every row has a fault. */
export const MIN_THREAD_BYTES = 128 * 1024;
/** Time after which an idle thread ends, ms. */
const IDLE_MS = 30_000;

/** A task for the thread. */
export interface FileJob {
  readonly name: FileTaskName;
  readonly input: never;
}

const compiledSpawn = (): (() => Worker) | null =>
  import.meta.url.endsWith(".js") ? () => new Worker(new URL("./files-worker.js", import.meta.url)) : null;

const outOfMemory = (cause: unknown) =>
  new ToolError("REFUSED", "The files of this symbol need more memory than the server has to read them", {
    hint: "Divide the file of this symbol into shorter ones, or import it as daily bars.",
    cause,
  });

/**
 * Creates the runner of tasks on files, one at a time: on large files in a thread, which ends when it is idle, on
 * others in an event loop iteration each. Without a thread, or when it fails, all run on this thread; a task whose
 * thread ran out of memory is rejected. `spawn` starts a thread. Default: null, without a thread, when running from
 * TypeScript sources.
 */
export function createFileThread(spawn = compiledSpawn()): RunFileTask {
  const oneAtATime = pLimit(1);
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  const end = () => {
    void worker?.terminate();
    worker = null;
  };
  async function inThread(start: () => Worker, job: object): Promise<unknown> {
    clearTimeout(idle);
    worker ??= start();
    worker.ref();
    worker.postMessage(job);
    const output = await nextMessage(worker);
    worker.unref();
    idle = setTimeout(end, IDLE_MS).unref();
    return output;
  }
  return (name, input, bytes) =>
    oneAtATime(async () => {
      if (spawn !== null && bytes >= MIN_THREAD_BYTES)
        try {
          return (await inThread(spawn, { name, input })) as ReturnType<typeof runHere<typeof name>>;
        } catch (cause) {
          end();
          if (isOutOfMemory(cause)) throw outOfMemory(cause);
          // otherwise it runs here
        }
      await setImmediate();
      return runHere(name, input);
    });
}
