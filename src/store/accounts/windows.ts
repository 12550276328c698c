import type Database from "better-sqlite3";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Limit, Windows } from "../../domain/accounts/windows-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { retryAfterMs } from "../../lib/limiter.ts";

interface Row {
  readonly used: number;
  readonly ends: number;
}

type Answer = (wait: number | null | Promise<number | null>) => void;

/** Calls on one window that wait to be counted together. */
interface Batch {
  readonly name: string;
  readonly limit: Limit;
  readonly key: string;
  readonly calls: Answer[];
}

/** The first of a batch that are admitted; the others wait, milliseconds. */
interface Verdict {
  readonly admitted: number;
  readonly wait: number;
}

const SWEEP_MS = 3_600_000;

/**
 * Windows kept in one SQLite file. Calls that come within one turn of the event loop are counted together, and each is
 * in the file before it is answered. While that cannot be written, as on a full disk, this process counts on alone.
 */
export function openWindows(db: Database.Database, clock: Clock): Windows {
  db.exec(
    "CREATE TABLE IF NOT EXISTS windows (key TEXT PRIMARY KEY, used INTEGER NOT NULL, ends INTEGER NOT NULL)",
  );
  // One statement judges and counts, so that no call of any process comes between.
  const count = db.prepare<[object], Row>(`
    INSERT INTO windows (key, used, ends) SELECT @key, @calls, @ends WHERE @calls <= @quota
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN windows.ends > @now THEN windows.used + @calls ELSE @calls END,
      ends = CASE WHEN windows.ends > @now THEN windows.ends ELSE @ends END
    WHERE windows.ends <= @now OR windows.used + @calls <= @quota
    RETURNING used, ends`);
  const uncount = db.prepare<[string, number], Row>(
    "UPDATE windows SET used = used - 1 WHERE key = ? AND ends > ? AND used > 0 RETURNING used, ends",
  );
  const look = db.prepare<[string, number], Row>("SELECT used, ends FROM windows WHERE key = ? AND ends > ?");
  const forget = db.prepare("DELETE FROM windows WHERE ends <= ?");
  const alone = new Map<string, RateLimiterMemory>();
  let batches = new Map<string, Batch>();
  /** Rows as they stand in this turn of the event loop. */
  const seen = new Map<string, Row>();
  let sweptAt = 0;

  function note(key: string, row: Row): void {
    if (seen.size === 0) setImmediate(() => seen.clear());
    seen.set(key, row);
  }

  function sweep(now: number): void {
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    forget.run(now);
  }

  function judge({ key, limit: { quota, window }, calls }: Batch, now: number): Verdict {
    const taken = (many: number): boolean => {
      const row = count.get({ key, calls: many, now, quota, ends: now + window * 1_000 });
      if (row !== undefined) note(key, row);
      return row !== undefined;
    };
    if (taken(calls.length)) return { admitted: calls.length, wait: 0 };
    let admitted = 0;
    while (admitted < calls.length - 1 && taken(1)) admitted++;
    return { admitted, wait: (look.get(key, now)?.ends ?? now) - now };
  }

  const judgeAll = db.transaction((waiting: readonly Batch[], now: number) =>
    waiting.map((batch) => judge(batch, now)),
  );

  function settle(): void {
    const waiting = [...batches.values()];
    batches = new Map();
    try {
      const now = clock.now().getTime();
      sweep(now);
      const verdicts = waiting.length === 1 ? [judge(waiting[0]!, now)] : judgeAll.immediate(waiting, now);
      for (const [i, { admitted, wait }] of verdicts.entries())
        for (const [call, answer] of waiting[i]!.calls.entries()) answer(call < admitted ? null : wait);
    } catch {
      seen.clear();
      for (const { name, limit, key, calls } of waiting)
        for (const answer of calls) answer(takeAlone(name, limit, key));
    }
  }

  function takeAlone(name: string, { quota, window }: Limit, key: string): Promise<number | null> {
    const id = `${name} ${quota} ${window}`;
    const limiter = alone.get(id) ?? new RateLimiterMemory({ points: quota, duration: window });
    alone.set(id, limiter);
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
        const row = uncount.get(key, clock.now().getTime());
        if (row !== undefined) note(key, row);
      } catch {
        seen.clear();
        await alone.get(`${name} ${limit.quota} ${limit.window}`)?.reward(key);
      }
    },
    async standing(name, limit, caller) {
      const now = clock.now().getTime();
      const key = keyOf(name, limit, caller);
      const row = seen.get(key) ?? look.get(key, now);
      if (row === undefined || row.ends <= now) return { remaining: limit.quota, msLeft: 0 };
      note(key, row);
      return { remaining: Math.max(0, limit.quota - row.used), msLeft: row.ends - now };
    },
  };
}

/** The length of the window is part of the key and the quota is not: a change of plan keeps the calls counted so far. */
const keyOf = (name: string, { window }: Limit, caller: string): string => `${name}${window}:${caller}`;
