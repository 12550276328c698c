import type { Limit } from "../../domain/accounts/windows-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { isOver, isWithin, latestEnd } from "../../lib/expiry.ts";
import { SqliteError } from "../sqlite/connection.ts";
import type { Database } from "../sqlite/database.ts";
import type { RateLimits } from "../store.ts";
import { Leases } from "./leases.ts";

interface Row {
  readonly used: number;
  readonly ends: number;
}

type Resolve = (wait: number | null) => void;

/** Calls on one window that are counted together. */
interface Batch {
  readonly limit: Limit;
  readonly key: string;
  readonly calls: Resolve[];
}

/** Number of calls of a batch that are admitted, and the milliseconds that the others must wait. */
interface Verdict {
  readonly admitted: number;
  readonly wait: number;
  /** Further calls that the file now counts, and the end of their window. */
  readonly lease?: { readonly calls: number; readonly ends: number; readonly used: number };
}

/** Calls that the file does not hold yet, and the end and length of their window. */
interface Unwritten extends Row {
  readonly window: number;
}

interface UnwrittenCalls extends Omit<Unwritten, "used"> {
  readonly calls: number;
  readonly now: number;
}

/** Length above which the counts of a window survive a crash of PostgreSQL and a change of the database, seconds. */
export const LASTING_S = 3_600;
const SWEEP_MS = 3_600_000;
/** Attempts to write a batch while another process writes, with pauses of 5 ms on average: together about 50 ms. */
const MAX_ATTEMPTS = 10;
const MAX_PAUSE_MS = 10;
/** Interval between two attempts to write the calls counted in memory. */
const REWRITE_MS = 100;
/** Interval after which unused leases are given back. */
const RELEASE_MS = 1_000;
/** Condition on the end of a window that is running; an end beyond its length was set by a clock that was ahead. */
const OPEN = "BETWEEN @now + 1 AND @latest";

/**
 * Opens the rate windows in one SQLite file. Calls of one event loop iteration are counted together and written before
 * they resolve. Far below the quota, more calls of a busy caller than made are counted at once, and later ones need no
 * write. While the file cannot be written (full disk, or locked for more than about 50 ms), calls are counted in
 * memory, on top of the file, and written once that works again. Until then other processes do not see them.
 */
export function openRateLimits(db: Database, clock: Clock): RateLimits {
  db.exec(
    "CREATE TABLE IF NOT EXISTS windows (key TEXT PRIMARY KEY, used INTEGER NOT NULL, ends INTEGER NOT NULL)",
  );
  db.pragma("busy_timeout = 0"); // a wait for another process must not block the event loop
  // One statement checks and counts, so that no other process can count in between.
  const count = db.prepare<Row>(`
    INSERT INTO windows (key, used, ends) SELECT @key, @calls, @ends WHERE @calls <= @quota
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN windows.ends ${OPEN} THEN windows.used + @calls ELSE @calls END,
      ends = CASE WHEN windows.ends ${OPEN} AND NOT @fromLast THEN windows.ends ELSE @ends END
    WHERE windows.ends NOT ${OPEN} OR windows.used + @calls <= @quota
    RETURNING used, ends`);
  /** Takes calls back, with @of only those of the window with this end, as a later one did not count them. */
  const uncount = db.prepare<Row>(`
    UPDATE windows SET used = MAX(0, used - @calls)
    WHERE key = @key AND ends ${OPEN} AND ends = coalesce(@of, ends) AND used > 0 RETURNING used, ends`);
  const find = db.prepare<Row>(`SELECT used, ends FROM windows WHERE key = @key AND ends ${OPEN}`);
  const deleteEnded = db.prepare("DELETE FROM windows WHERE ends <= ?");
  const leases = new Leases();
  let releasing: ReturnType<typeof setTimeout> | null = null;
  const unwritten = new Map<string, Unwritten>();
  let willRewrite = false;
  let batches = new Map<string, Batch>();
  let attempts = 0;
  /** Rows as read or written in this event loop iteration. */
  const seen = new Map<string, Row>();
  let sweptAt = 0;

  function remember(key: string, row: Row): void {
    if (seen.size === 0) setImmediate(() => seen.clear());
    seen.set(key, row);
    leases.note(key, row);
  }

  function sweep(now: number): void {
    if (isWithin(sweptAt, now, SWEEP_MS)) return;
    sweptAt = now;
    deleteEnded.run(now);
  }

  function countBatch({ key, limit, calls }: Batch, now: number): Verdict {
    const { quota, window } = limit;
    const tryCount = (many: number, most = quota): Row | undefined => {
      const ends = now + window * 1_000;
      const fromLast = Number(limit.fromLast === true);
      const row = count.get({ ...running(key, window, now), calls: many, quota: most, ends, fromLast });
      if (row !== undefined) remember(key, row);
      return row;
    };
    const leased = leases.sizeFor(key, limit);
    // near the quota, calls are counted one by one, so that other processes can make the last ones
    const lease = leased === 0 ? undefined : tryCount(calls.length + leased, quota - 2 * leased);
    if (lease !== undefined) return { admitted: calls.length, wait: 0, lease: { calls: leased, ...lease } };
    if (tryCount(calls.length)) return { admitted: calls.length, wait: 0 };
    let admitted = 0;
    while (admitted < calls.length - 1 && tryCount(1)) admitted++;
    return { admitted, wait: (find.get(running(key, window, now))?.ends ?? now) - now };
  }

  /** Adds the calls counted in memory to the file: they were admitted, so no quota applies. */
  function writeUnwritten(now: number): void {
    for (const [key, { used, ends, window }] of unwritten)
      if (!isOver(ends, now, window * 1_000))
        count.get({ ...running(key, window, now), ...UNLIMITED, calls: used, ends });
  }

  const writeAll = (waiting: readonly Batch[], now: number) =>
    db.immediate(() => {
      writeUnwritten(now);
      return waiting.map((batch) => countBatch(batch, now));
    });

  function settle(): void {
    const waiting = [...batches.values()];
    const now = clock.now().getTime();
    try {
      sweep(now);
      // A single statement needs no transaction.
      const verdicts =
        waiting.length === 1 && waiting[0]!.calls.length === 1 && unwritten.size === 0
          ? [countBatch(waiting[0]!, now)]
          : writeAll(waiting, now);
      unwritten.clear();
      for (const [i, { lease }] of verdicts.entries())
        if (lease !== undefined) leases.add(waiting[i]!.key, waiting[i]!.limit, lease);
      releaseLater();
      answer(waiting, verdicts);
    } catch (cause) {
      seen.clear();
      if (isBusy(cause) && unwritten.size === 0 && ++attempts < MAX_ATTEMPTS) {
        setTimeout(settle, Math.random() * MAX_PAUSE_MS);
        return;
      }
      answer(
        waiting,
        waiting.map((batch) => countInMemory(batch, now)),
      );
      if (unwritten.size > 0) rewriteLater();
    }
  }

  /** Gives unused leases back after a pause, and until there are none. */
  function releaseLater(): void {
    if (releasing !== null || leases.size === 0) return;
    releasing = setTimeout(() => {
      releasing = null;
      if (!db.open) return;
      releaseLeases();
      releaseLater();
    }, RELEASE_MS).unref();
  }

  function releaseLeases(options?: { readonly all: boolean }): void {
    const now = clock.now().getTime();
    for (const { key, left, limit, ends } of leases.release(options))
      try {
        const row = uncount.get({ ...running(key, limit.window, now), calls: left, of: ends });
        if (row !== undefined) remember(key, row);
      } catch {} // The file cannot be written: the calls stay counted.
  }

  function answer(waiting: readonly Batch[], verdicts: readonly Verdict[]): void {
    batches = new Map();
    attempts = 0;
    for (const [i, { admitted, wait }] of verdicts.entries())
      for (const [call, resolve] of waiting[i]!.calls.entries()) resolve(call < admitted ? null : wait);
  }

  /** Writes the calls counted in memory after a pause, unless a batch does so before. */
  function rewriteLater(): void {
    if (willRewrite) return;
    willRewrite = true;
    setTimeout(() => {
      willRewrite = false;
      if (db.open && unwritten.size > 0 && batches.size === 0) settle();
    }, REWRITE_MS).unref();
  }

  function rowIn(key: string, window: number, now: number): Row | undefined {
    try {
      const row = seen.get(key) ?? find.get(running(key, window, now));
      if (row !== undefined) remember(key, row);
      return row;
    } catch {
      return undefined; // The file cannot be read.
    }
  }

  /** Returns the running window with the calls that the file does not hold yet. */
  function current(key: string, window: number, now: number): Row | undefined {
    const isRunning = (row: Row | null | undefined): row is Row =>
      row != null && !isOver(row.ends, now, window * 1_000);
    const lease = leases.find(key);
    // calls of other processes since the last lease are not known yet, which spares a read per call
    const row = isRunning(lease) ? lease : rowIn(key, window, now);
    const more = unwritten.get(key);
    if (!isRunning(row)) return isRunning(more) ? more : undefined;
    const used = row.used + (isRunning(more) ? more.used : 0) - (row === lease ? lease.left : 0);
    return { used, ends: row.ends };
  }

  /** Counts calls in memory; `ends` is the end of their window if none was counted there before. */
  function addUnwritten(key: string, { calls, ends, window, now }: UnwrittenCalls): void {
    const before = unwritten.get(key);
    const isRunning = before !== undefined && !isOver(before.ends, now, window * 1_000);
    unwritten.set(key, isRunning ? { ...before, used: before.used + calls } : { used: calls, ends, window });
    rewriteLater();
  }

  function countInMemory({ key, limit: { quota, window }, calls }: Batch, now: number): Verdict {
    const { used, ends } = current(key, window, now) ?? { used: 0, ends: now + window * 1_000 };
    const admitted = Math.min(calls.length, Math.max(0, quota - used));
    if (admitted > 0) addUnwritten(key, { calls: admitted, ends, window, now });
    return { admitted, wait: ends - now };
  }

  return {
    take(name, limit, caller) {
      const key = keyOf(name, limit, caller);
      if (leases.take(key, limit, clock.now().getTime())) return ADMITTED;
      const id = `${limit.quota} ${key}`;
      return new Promise((resolve) => {
        if (batches.size === 0) setImmediate(settle);
        const batch = batches.get(id);
        if (batch === undefined) batches.set(id, { limit, key, calls: [resolve] });
        else batch.calls.push(resolve);
      });
    },
    async refund(name, limit, caller) {
      const key = keyOf(name, limit, caller);
      const now = clock.now().getTime();
      const { window } = limit;
      if (leases.refund(key, now)) return;
      try {
        if (!unwritten.has(key)) {
          const row = uncount.get({ ...running(key, window, now), calls: 1, of: null });
          if (row !== undefined) remember(key, row);
          return;
        }
      } catch {
        seen.clear();
      }
      const row = current(key, window, now);
      if (row !== undefined) addUnwritten(key, { calls: -1, ends: row.ends, window, now });
    },
    async usage(name, limit, caller) {
      const now = clock.now().getTime();
      const row = current(keyOf(name, limit, caller), limit.window, now);
      if (row === undefined) return { remaining: limit.quota, msLeft: 0 };
      return { remaining: Math.max(0, limit.quota - row.used), msLeft: row.ends - now };
    },
    async close() {
      if (releasing !== null) clearTimeout(releasing);
      if (db.open) releaseLeases({ all: true });
    },
  };
}

const ADMITTED: Promise<null> = Promise.resolve(null);

const isBusy = (cause: unknown): boolean =>
  cause instanceof SqliteError && cause.code.startsWith("SQLITE_BUSY");

const UNLIMITED = { quota: Number.MAX_SAFE_INTEGER, fromLast: 0 }; // for calls that were admitted already
const running = (key: string, window: number, now: number) => ({
  key,
  now,
  latest: latestEnd(now, window * 1_000),
});

/**
 * Returns the key of a window. It contains the length but not the quota, so that calls already counted still count
 * after a change of plan.
 */
export const keyOf = (name: string, { window }: Limit, caller: string): string =>
  `${name}${window}:${caller}`;

/** Returns true for the key of a window whose counts survive a crash. */
export const isLasting = (key: string): boolean => Number(/^\D*(\d+):/.exec(key)?.[1]) > LASTING_S;
