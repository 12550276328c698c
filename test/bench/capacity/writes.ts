import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { openPostgresStore } from "../../../src/store/postgres/open-store.ts";
import { upsert } from "../../../src/store/queries.ts";
import type { Schema } from "../../../src/store/schema.ts";
import { accountTransaction, recordTransaction, storeTransaction } from "../../../src/store/transactions.ts";
import { createDatabase } from "../../support/postgres.ts";

const TRANSACTIONS = 1_000;
const REQUESTS = 500;
const SYNCS = 200;

/** Costs of writes and of messages between processes: the 5th percentile, so that a busy machine matters little. */
export interface WriteCosts {
  /** Time from the beginning of a transaction with one statement to its end, by the lock that it holds, ms. */
  readonly storeLockMs: number;
  readonly recordLockMs: number;
  readonly accountLockMs: number;
  /** Time of a request to another process with its response, which are two notifications, ms. */
  readonly requestMs: number;
  /** Time in which the disk of the temporary folder writes and syncs 8 kB, ms: PostgreSQL waits for that at each commit. */
  readonly syncMs: number;
}

const fast = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 20)]!;

/** Measures writes under each lock, and requests between processes. */
export async function measureWrites(server: string): Promise<WriteCosts> {
  const url = await createDatabase(server);
  const clock = { now: () => new Date() };
  const stores = [await openPostgresStore({ url, clock }), await openPostgresStore({ url, clock })] as const;
  const [{ db }] = stores;
  type Begin = (work: (tx: Kysely<Schema>) => Promise<void>) => Promise<void>;
  const timeOf = async (count: number, work: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      const begun = performance.now();
      await work();
      times.push(performance.now() - begun);
    }
    return fast(times);
  };
  const writing = (begin: Begin) => {
    const row = { fetched_at: clock.now().toISOString(), json: "{}" };
    const write = (tx: Kysely<Schema>) => upsert(tx, "cached_quotes", { market: "bench", symbol: "A" }, row);
    return timeOf(TRANSACTIONS, () => begin(write));
  };
  const [one, two] = [stores[0].replicas!, stores[1].replicas!];
  await one.join();
  await two.join();
  two.peers.onRequest("bench", () => 1);
  try {
    return {
      storeLockMs: await writing((work) => storeTransaction(db, work)),
      recordLockMs: await writing((work) => recordTransaction(db, work)),
      accountLockMs: await writing((work) => accountTransaction(db, "account", work)),
      requestMs: await timeOf(REQUESTS, () => one.peers.request("bench", {})),
      syncMs: syncMs(),
    };
  } finally {
    for (const store of stores) await store.close();
  }
}

/** Returns the time of a synchronous write, ms. */
function syncMs(): number {
  const dir = mkdtempSync(join(tmpdir(), "market-signal-sync-"));
  const file = openSync(join(dir, "sync"), "w");
  const block = Buffer.alloc(8_192);
  const times = Array.from({ length: SYNCS }, () => {
    const begun = performance.now();
    writeSync(file, block, 0, block.length, 0);
    fdatasyncSync(file);
    return performance.now() - begun;
  });
  closeSync(file);
  rmSync(dir, { recursive: true });
  return fast(times);
}
