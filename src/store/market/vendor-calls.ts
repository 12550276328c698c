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
  record(vendor: string, at: number): void;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

/** Reads the stored requests made at or after `since` (epoch ms) and deletes older ones. */
export async function openProviderRequestLog(
  { db, log }: { readonly db: Kysely<Schema>; readonly log: Log },
  since: number,
): Promise<ProviderRequestLog> {
  await deleteRows(db, "vendor_calls", { at: compare({ "<": since }) });
  const rows = await listRows(db, "vendor_calls", {}, { order: ["at"] });
  const byVendor = groupBy(rows, ({ vendor }) => vendor);
  const before = new Map([...byVendor].map(([vendor, calls]) => [vendor, calls.map(({ at }) => at)]));
  const underWay = new Set<Promise<unknown>>();
  return {
    before,
    record(vendor, at) {
      const old = { at: compare({ "<": at - RETENTION_MS }) };
      const writing = insertRows(db, "vendor_calls", [{ vendor, at }])
        .then(() => deleteRows(db, "vendor_calls", old, SWEEP_LIMIT))
        .catch((cause: unknown) => log.warn("vendor_call_not_kept", { vendor, cause }))
        .finally(() => underWay.delete(writing));
      underWay.add(writing);
    },
    async close() {
      await Promise.allSettled(underWay);
    },
  };
}
