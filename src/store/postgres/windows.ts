import type pg from "pg";
import type { Limit } from "../../domain/accounts/windows-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { latestEnd } from "../../lib/expiry.ts";
import { Turns } from "../../lib/turns.ts";
import { Leases } from "../accounts/leases.ts";
import { keyOf, LASTING_S } from "../accounts/windows.ts";
import type { StorageMonitor } from "../storage-monitor.ts";
import type { RateLimits } from "../store.ts";
import { storageError } from "./errors.ts";
import { NOW, type WindowRow, windowReader } from "./window-reader.ts";

interface Call {
  readonly resolve: (wait: number | null) => void;
  readonly reject: (cause: unknown) => void;
}

/** Calls on one window that are counted together by the next statement. */
interface Batch {
  readonly key: string;
  readonly limit: Limit;
  readonly calls: Call[];
}

const SWEEP_MS = 3_600_000;
/** Interval at which unused leases are returned. */
const SECOND_MS = 1_000;
/** Time for which a full window is not queried again; after that, leases of other processes may have been returned. */
const FULL_MS = 1_000;
const MAX_REMEMBERED = 10_000;

const columns =
  '(key TEXT COLLATE "C" PRIMARY KEY, used BIGINT NOT NULL, ends BIGINT NOT NULL) WITH (fillfactor = 50)';

/** Tables of the windows; not part of the schema, because SQLite has its counters in a separate file. */
export const WINDOW_TABLES: readonly string[] = [
  `CREATE UNLOGGED TABLE IF NOT EXISTS burst_windows ${columns}`,
  `CREATE TABLE IF NOT EXISTS lasting_windows ${columns}`,
];
const tableOf = ({ window }: Limit): string => (window > LASTING_S ? "lasting_windows" : "burst_windows");

/** Condition on the end of a window that is running; $3: the latest end from now on, ms. */
const RUNNING = `BETWEEN ${NOW} + 1 AND ${NOW} + $3::bigint`;
/** One statement checks and counts: the row stays locked from the check to the commit. $4: calls, $5: quota, $6: length, ms, $7: whether it runs from its last call. */
const countIn = (table: string): string => `
  INSERT INTO ${table} AS w (key, used, ends) SELECT $2, $4::bigint, ${NOW} + $6::bigint WHERE $4::bigint <= $5::bigint
  ON CONFLICT (key) DO UPDATE SET
    used = CASE WHEN w.ends ${RUNNING} THEN w.used + $4::bigint ELSE $4::bigint END,
    ends = CASE WHEN w.ends ${RUNNING} AND NOT $7::boolean THEN w.ends ELSE excluded.ends END
  WHERE w.ends NOT ${RUNNING} OR w.used + $4::bigint <= $5::bigint
  RETURNING used, ends, ${NOW} AS now`;
/** Takes calls back, $5: only those of the window with this end, as a later one did not count them. */
const uncountIn = (table: string): string =>
  `UPDATE ${table} SET used = greatest(0, used - $4::bigint) WHERE key = $2 AND ends ${RUNNING} AND ends = coalesce($5::bigint, ends)
  RETURNING used, ends, ${NOW} AS now`;
const findIn = (table: string): string =>
  `SELECT used, ends, ${NOW} AS now FROM ${table} WHERE key = $2 AND ends ${RUNNING}`;

/**
 * Opens the rate windows in PostgreSQL, exact over all processes. Calls on one window that arrive while a statement of
 * this process runs are counted together by the next one, so that a process waits for a busy row once at a time. While the
 * database does not answer, calls are rejected with STORAGE_BUSY. Default of `clock`: the time of the database.
 */
export function openPostgresRateLimits(
  pool: pg.Pool,
  monitor: Pick<StorageMonitor, "full" | "damaged">,
  clock?: Clock,
): RateLimits {
  const leases = new Leases();
  /** Batches that wait for the running statement of their window, and the windows with a running one. */
  const waiting = new Map<string, Batch>();
  const running = new Set<string>();
  /** The statements on one window run one after another, so that the last response is the newest. */
  const turns = new Turns();
  /** The last statement of each window that takes calls back. */
  const uncounting = new Map<string, Promise<unknown>>();
  /** Rows that this process counted last. */
  const last = createBoundedCache<string, WindowRow>({ name: "rate windows", max: MAX_REMEMBERED });
  /** Time until which a full window is not queried again, by window and quota. */
  const full = createBoundedCache<string, number>({ name: "full rate windows", max: MAX_REMEMBERED });
  /** Time of the database minus the monotonic time of this process; not used with a clock. */
  let offset = 0;
  let sweptAt = Number.NEGATIVE_INFINITY;
  const now = (): number => clock?.now().getTime() ?? performance.now() + offset;

  async function query<Row extends WindowRow>(text: string, more: readonly unknown[]): Promise<Row[]> {
    const values = [clock?.now().getTime() ?? null, ...more];
    try {
      const { rows } = await pool.query<Row & { readonly now: number }>({ text, values });
      if (rows[0] !== undefined) offset = rows[0].now - performance.now();
      return rows;
    } catch (cause) {
      throw storageError(cause, monitor, { isWrite: false });
    }
  }

  async function run(
    statement: (table: string) => string,
    {
      key,
      limit,
      more = [],
    }: { readonly key: string; readonly limit: Limit; readonly more?: readonly (number | boolean | null)[] },
  ): Promise<WindowRow | null> {
    const latest = latestEnd(0, limit.window * 1_000);
    const [row] = await query<WindowRow>(statement(tableOf(limit)), [key, latest, ...more]);
    if (row === undefined) return null;
    last.set(key, row);
    leases.note(key, row);
    return row;
  }
  const read = windowReader(query);
  const tryCount = (key: string, limit: Limit, calls: number, quota = limit.quota) =>
    run(countIn, { key, limit, more: [calls, quota, limit.window * 1_000, limit.fromLast === true] });
  async function uncount(
    key: string,
    limit: Limit,
    calls: number,
    ends: number | null = null,
  ): Promise<void> {
    const done = turns.run(key, () => run(uncountIn, { key, limit, more: [calls, ends] }));
    uncounting.set(key, done);
    await done.finally(() => {
      if (uncounting.get(key) === done) uncounting.delete(key);
    });
  }

  async function settle({ key, limit, calls }: Batch): Promise<void> {
    const ahead = leases.sizeFor(key, limit);
    // near the quota, calls are counted one by one, so that other processes can make the last ones
    const lease =
      ahead === 0 ? null : await tryCount(key, limit, calls.length + ahead, limit.quota - 2 * ahead);
    if (lease !== null) leases.add(key, limit, { calls: ahead, ...lease });
    let admitted = lease !== null || (await tryCount(key, limit, calls.length)) !== null ? calls.length : 0;
    while (admitted < calls.length - 1 && (await tryCount(key, limit, 1)) !== null) admitted++;
    let wait = 0;
    if (admitted < calls.length) {
      const row = await run(findIn, { key, limit });
      wait = row === null ? 0 : Math.max(0, row.ends - now());
      full.set(idOf(key, limit), now() + Math.min(wait, FULL_MS));
    }
    for (const [i, { resolve }] of calls.entries()) resolve(i < admitted ? null : wait);
  }

  function next(id: string): void {
    const batch = waiting.get(id);
    if (batch === undefined || running.has(id)) return;
    waiting.delete(id);
    running.add(id);
    void turns
      .run(batch.key, () => settle(batch))
      .catch((cause: unknown) => {
        for (const { reject } of batch.calls) reject(cause);
      })
      .finally(() => {
        running.delete(id);
        next(id);
      });
  }

  async function release(options?: { readonly all: boolean }): Promise<void> {
    const unused = leases.release(options);
    await Promise.allSettled(unused.map(({ key, limit, left, ends }) => uncount(key, limit, left, ends)));
  }
  function sweep(): void {
    if (performance.now() - sweptAt < SWEEP_MS) return;
    sweptAt = performance.now();
    for (const table of ["burst_windows", "lasting_windows"])
      pool
        .query(`DELETE FROM ${table} WHERE ends <= ${NOW}`, [clock?.now().getTime() ?? null])
        .catch(() => {}); // the next hour tries again
  }
  const timer = setInterval(() => {
    void release();
    sweep();
  }, SECOND_MS).unref();

  return {
    take(name, limit, caller) {
      const key = keyOf(name, limit, caller);
      if (leases.take(key, limit, now())) return ADMITTED;
      const id = idOf(key, limit);
      const row = last.peek(key);
      if ((full.get(id) ?? 0) > now() && row !== undefined)
        return Promise.resolve(Math.max(0, row.ends - now()));
      return new Promise((resolve, reject) => {
        const batch = waiting.get(id);
        if (batch !== undefined) batch.calls.push({ resolve, reject });
        else {
          waiting.set(id, { key, limit, calls: [{ resolve, reject }] });
          setImmediate(next, id);
        }
      });
    },
    async refund(name, limit, caller) {
      const key = keyOf(name, limit, caller);
      full.delete(idOf(key, limit));
      if (!leases.refund(key, now())) await uncount(key, limit, 1);
    },
    async usage(name, limit, caller) {
      const key = keyOf(name, limit, caller);
      await uncounting.get(key)?.catch(() => {}); // its calls are in no lease and still counted
      const lease = leases.find(key);
      const isRunning = lease !== null && lease.ends > now();
      // not what this process counted last: other processes may have counted since
      const row = isRunning ? lease : await read(key, limit);
      if (row === null) return { remaining: limit.quota, msLeft: 0 };
      const used = row.used - (row === lease ? lease.left : 0);
      return { remaining: Math.max(0, limit.quota - used), msLeft: Math.max(0, row.ends - now()) };
    },
    async close() {
      clearInterval(timer);
      await release({ all: true });
    },
  };
}

const ADMITTED: Promise<null> = Promise.resolve(null);
const idOf = (key: string, { quota }: Limit): string => `${quota} ${key}`;
