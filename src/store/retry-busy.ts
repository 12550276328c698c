import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import { ToolError } from "../kernel/errors.ts";

/** Time for which a write is retried while another process holds the write lock. */
const RETRY_MS = 2_000;
/** Longest pause between two attempts; each pause is a random part of it. */
const MAX_PAUSE_MS = 50;

/**
 * Retries statements and transactions of the database for two seconds while another process holds the write lock.
 * Rejects with STORAGE_BUSY after that. Each call makes one attempt at once; those that fail wait in a queue, and only
 * the first of the queue goes on trying, so many waiting writes cost the event loop no more than one. The connection is
 * free between attempts, so reads go on. A transaction meets the lock only when it begins, so nothing is done twice.
 */
export function retryWhileBusy<DB>(db: Kysely<DB>): Kysely<DB> {
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  /** Resolves when the last call of the queue has ended. */
  let queue: Promise<unknown> = Promise.resolve();

  executor.provideConnection = async (consumer) => {
    const deadline = performance.now() + RETRY_MS;
    const retry = async () => {
      for (;;)
        try {
          return await provide(consumer);
        } catch (cause) {
          if (!isBusy(cause) || performance.now() >= deadline) throw cause;
          await sleep(Math.random() * MAX_PAUSE_MS);
        }
    };
    try {
      return await provide(consumer);
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
    }
    const retried = queue.then(retry);
    queue = retried.catch(() => {});
    return retried;
  };
  return db;
}

/** Returns the same database without the retries: a write fails with STORAGE_BUSY at once. */
export const withoutRetry = <DB>(db: Kysely<DB>): Kysely<DB> => db.withoutPlugins();

/** Returns true if another process holds the write lock. */
export const isBusy = (cause: unknown): boolean =>
  cause instanceof ToolError && cause.code === "STORAGE_BUSY";
