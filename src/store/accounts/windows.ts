import type Database from "better-sqlite3";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Limit, Windows } from "../../domain/accounts/windows-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { isOver, isWithin, latestEnd } from "../../lib/expiry.ts";
import { retryAfterMs } from "../../lib/limiter.ts";

interface Row {
  readonly used: number;
  readonly ends: number;
}

type Resolve = (wait: number | null | Promise<number | null>) => void;

/** Calls on one window that are counted together. */
interface Batch {
  readonly name: string;
  readonly limit: Limit;
  readonly key: string;
  readonly calls: Resolve[];
}

/** Number of calls of a batch that are admitted, and the milliseconds that the others must wait. */
interface Verdict {
  readonly admitted: number;
  readonly wait: number;
}

const SWEEP_MS = 3_600_000;
/** Condition on the end of a window that is running; an end beyond its length was set by a clock that was ahead. */
const OPEN = "BETWEEN @now + 1 AND @latest";

/**
 * Opens the rate windows in one SQLite file. Calls of one event loop iteration are counted together and written before
 * they resolve. While the file cannot be written (full disk), this process counts in memory.
 */
export function openRateLimits(db: Database.Database, clock: Clock): Windows {
  db.exec(
    "CREATE TABLE IF NOT EXISTS windows (key TEXT PRIMARY KEY, used INTEGER NOT NULL, ends INTEGER NOT NULL)",
  );
  // One statement checks and counts, so that no other process can count in between.
  const count = db.prepare<[object], Row>(`
    INSERT INTO windows (key, used, ends) SELECT @key, @calls, @ends WHERE @calls <= @quota
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN windows.ends ${OPEN} THEN windows.used + @calls ELSE @calls END,
      ends = CASE WHEN windows.ends ${OPEN} THEN windows.ends ELSE @ends END
    WHERE windows.ends NOT ${OPEN} OR windows.used + @calls <= @quota
    RETURNING used, ends`);
  const uncount = db.prepare<[object], Row>(
    `UPDATE windows SET used = used - 1 WHERE key = @key AND ends ${OPEN} AND used > 0 RETURNING used, ends`,
  );
  const find = db.prepare<[object], Row>(`SELECT used, ends FROM windows WHERE key = @key AND ends ${OPEN}`);
  const deleteEnded = db.prepare("DELETE FROM windows WHERE ends <= ?");
  const inMemory = new Map<string, RateLimiterMemory>();
  let batches = new Map<string, Batch>();
  /** Rows as read or written in this event loop iteration. */
  const seen = new Map<string, Row>();
  let sweptAt = 0;

  function remember(key: string, row: Row): void {
    if (seen.size === 0) setImmediate(() => seen.clear());
    seen.set(key, row);
  }

  function sweep(now: number): void {
    if (isWithin(sweptAt, now, SWEEP_MS)) return;
    sweptAt = now;
    deleteEnded.run(now);
  }

  function countBatch({ key, limit: { quota, window }, calls }: Batch, now: number): Verdict {
    const tryCount = (many: number): boolean => {
      const row = count.get({ ...running(key, window, now), calls: many, quota, ends: now + window * 1_000 });
      if (row !== undefined) remember(key, row);
      return row !== undefined;
    };
    if (tryCount(calls.length)) return { admitted: calls.length, wait: 0 };
    let admitted = 0;
    while (admitted < calls.length - 1 && tryCount(1)) admitted++;
    return { admitted, wait: (find.get(running(key, window, now))?.ends ?? now) - now };
  }

  const countBatches = db.transaction((waiting: readonly Batch[], now: number) =>
    waiting.map((batch) => countBatch(batch, now)),
  );

  function settle(): void {
    const waiting = [...batches.values()];
    batches = new Map();
    try {
      const now = clock.now().getTime();
      sweep(now);
      const verdicts =
        waiting.length === 1 ? [countBatch(waiting[0]!, now)] : countBatches.immediate(waiting, now);
      for (const [i, { admitted, wait }] of verdicts.entries())
        for (const [call, answer] of waiting[i]!.calls.entries()) answer(call < admitted ? null : wait);
    } catch {
      seen.clear();
      for (const { name, limit, key, calls } of waiting)
        for (const answer of calls) answer(takeInMemory(name, limit, key));
    }
  }

  function takeInMemory(name: string, { quota, window }: Limit, key: string): Promise<number | null> {
    const id = `${name} ${quota} ${window}`;
    const limiter = inMemory.get(id) ?? new RateLimiterMemory({ points: quota, duration: window });
    inMemory.set(id, limiter);
    return retryAfterMs(limiter.consume(key));
  }

  return {
    take(name, limit, caller) {
      const key = keyOf(name, limit, caller);
      const id = `${limit.quota} ${key}`;
      return new Promise((answer) => {
        if (batches.size === 0) setImmediate(settle);
        const batch = batches.get(id);
        if (batch === undefined) batches.set(id, { name, limit, key, calls: [answer] });
        else batch.calls.push(answer);
      });
    },
    async refund(name, limit, caller) {
      const key = keyOf(name, limit, caller);
      try {
        const row = uncount.get(running(key, limit.window, clock.now().getTime()));
        if (row !== undefined) remember(key, row);
      } catch {
        seen.clear();
        await inMemory.get(`${name} ${limit.quota} ${limit.window}`)?.reward(key);
      }
    },
    async usage(name, limit, caller) {
      const now = clock.now().getTime();
      const key = keyOf(name, limit, caller);
      const row = seen.get(key) ?? find.get(running(key, limit.window, now));
      if (row === undefined || isOver(row.ends, now, limit.window * 1_000))
        return { remaining: limit.quota, msLeft: 0 };
      remember(key, row);
      return { remaining: Math.max(0, limit.quota - row.used), msLeft: row.ends - now };
    },
  };
}

const running = (key: string, window: number, now: number) => ({
  key,
  now,
  latest: latestEnd(now, window * 1_000),
});

/**
 * Returns the key of a window. It contains the length but not the quota, so that calls already counted still count
 * after a change of plan.
 */
const keyOf = (name: string, { window }: Limit, caller: string): string => `${name}${window}:${caller}`;
