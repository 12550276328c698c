import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { type FileTaskName, type RunFileTask, runHere } from "./file-tasks.ts";

/** Size of files from which a task runs in a thread, bytes; smaller ones take less than 50 ms. */
const MIN_THREAD_BYTES = 256 * 1024;
/** Time after which an idle thread ends, ms. */
const IDLE_MS = 30_000;

/** A task for the thread. */
export interface FileJob {
  readonly name: FileTaskName;
  readonly input: never;
}

const compiledSpawn = (): (() => Worker) | null =>
  import.meta.url.endsWith(".js") ? () => new Worker(new URL("./files-worker.js", import.meta.url)) : null;

/**
 * Creates the runner of tasks on files, one at a time: on large files in a thread, which ends when it is idle, on others
 * in an event loop iteration each. Without a thread, or when it fails, all run on this thread.
 * `spawn` starts a thread. Default: null, without a thread, when running from TypeScript sources.
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
    const [output] = await once(worker, "message");
    worker.unref();
    idle = setTimeout(end, IDLE_MS).unref();
    return output;
  }
  return (name, input, bytes) =>
    oneAtATime(async () => {
      if (spawn !== null && bytes >= MIN_THREAD_BYTES)
        try {
          return (await inThread(spawn, { name, input })) as ReturnType<typeof runHere<typeof name>>;
        } catch {
          end(); // it runs here
        }
      await setImmediate();
      return runHere(name, input);
    });
}
