import type { Kysely } from "kysely";
import type { Log } from "../../domain/ports.ts";
import { groupBy } from "../../lib/group-by.ts";
import { compare, deleteRows, insertRows, listRows } from "../queries.ts";
import type { Schema } from "../schema.ts";

/** Longest period over which requests are counted. */
const RETENTION_MS = 86_400_000;
/** Maximum number of old rows that each new one deletes. */
const SWEEP_LIMIT = 20;

/** Record of the requests sent to providers, across restarts and processes that share the store. */
export interface ProviderRequestLog {
  /** Times of earlier requests by provider, epoch ms, ascending. */
  readonly before: ReadonlyMap<string, readonly number[]>;
  /** Stores a request; a failure is logged. */
  record(provider: string, at: number): void;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

/** Reads the stored requests made at or after `since` (epoch ms) and deletes older ones. */
export async function openProviderRequestLog(
  { db, log }: { readonly db: Kysely<Schema>; readonly log: Log },
  since: number,
): Promise<ProviderRequestLog> {
  await deleteRows(db, "provider_calls", { at: compare({ "<": since }) });
  const rows = await listRows(db, "provider_calls", {}, { order: ["at"] });
  const byProvider = groupBy(rows, ({ provider }) => provider);
  const before = new Map([...byProvider].map(([provider, calls]) => [provider, calls.map(({ at }) => at)]));
  const underWay = new Set<Promise<unknown>>();
  return {
    before,
    record(provider, at) {
      const old = { at: compare({ "<": at - RETENTION_MS }) };
      const writing = insertRows(db, "provider_calls", [{ provider, at }])
        .then(() => deleteRows(db, "provider_calls", old, SWEEP_LIMIT))
        .catch((cause: unknown) => log.warn("provider_call_not_stored", { provider, cause }))
        .finally(() => underWay.delete(writing));
      underWay.add(writing);
    },
    async close() {
      await Promise.allSettled(underWay);
    },
  };
}
