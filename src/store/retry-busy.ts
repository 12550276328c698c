import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import { ToolError } from "../kernel/errors.ts";

/** Time for which a write is retried while another process holds the write lock. */
const RETRY_MS = 2_000;
/** Longest pause between two attempts; each pause is a random part of it. */
const MAX_PAUSE_MS = 50;

/**
 * Retries statements and transactions of the database for two seconds while another process holds the write lock. The
 * connection is free between attempts, so reads go on. Rejects with STORAGE_BUSY after that. A transaction meets the
 * lock only when it begins, so nothing is done twice.
 */
export function retryWhileBusy<DB>(db: Kysely<DB>): Kysely<DB> {
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  executor.provideConnection = async (consumer) => {
    const deadline = performance.now() + RETRY_MS;
    for (;;)
      try {
        return await provide(consumer);
      } catch (cause) {
        if (!isBusy(cause) || performance.now() >= deadline) throw cause;
        await sleep(Math.random() * MAX_PAUSE_MS);
      }
  };
  return db;
}

const isBusy = (cause: unknown): boolean => cause instanceof ToolError && cause.code === "STORAGE_BUSY";
