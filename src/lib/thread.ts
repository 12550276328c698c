import type { Worker } from "node:worker_threads";

/** Returns true for the error of a thread that ended because it reached its limit of memory. */
export const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof Error && (cause as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";

/** Returns the next message of a thread. Rejects with the error that ends it, and if it ends without a message. */
export function nextMessage(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      settle();
    };
    const onMessage = (message: unknown) => end(() => resolve(message));
    const onError = (cause: unknown) => end(() => reject(cause));
    const onExit = (code: number) =>
      end(() => reject(new Error(`The thread ended with code ${code} and without a message`)));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}
