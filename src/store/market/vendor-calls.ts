import type { Kysely } from "kysely";
import type { Log } from "../../domain/ports.ts";
import type { Schema } from "../schema.ts";

/** Calls that vendors have had, over restarts and beside other processes on the same store. */
export interface VendorCalls {
  /** Moments of calls since then, epoch ms, ascending, by vendor. */
  readonly before: ReadonlyMap<string, readonly number[]>;
  /** Remembers a call; a failure to is logged. */
  record(vendor: string, at: number): void;
  /** Waits for what is being remembered. */
  close(): Promise<void>;
}

/** Reads what vendors were asked since a moment (epoch ms), and forgets what was asked before it. */
export async function openVendorCalls(
  { db, log }: { readonly db: Kysely<Schema>; readonly log: Log },
  since: number,
): Promise<VendorCalls> {
  await db.deleteFrom("vendor_calls").where("at", "<", since).execute();
  const rows = await db.selectFrom("vendor_calls").selectAll().orderBy("at").execute();
  const before = new Map<string, number[]>();
  for (const { vendor, at } of rows) before.set(vendor, [...(before.get(vendor) ?? []), at]);
  const underWay = new Set<Promise<unknown>>();
  return {
    before,
    record(vendor, at) {
      const writing = db
        .insertInto("vendor_calls")
        .values({ vendor, at })
        .execute()
        .catch((cause: unknown) => log.warn("vendor_call_not_kept", { vendor, cause }))
        .finally(() => underWay.delete(writing));
      underWay.add(writing);
    },
    async close() {
      await Promise.allSettled(underWay);
    },
  };
}
