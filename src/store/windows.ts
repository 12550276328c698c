import type Database from "better-sqlite3";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { refusalOf } from "../lib/limiter.ts";
import type { Clock } from "../ports/index.ts";
import type { Limit, Windows } from "../ports/windows.ts";

interface Row {
  readonly used: number;
  readonly ends: number;
}

const SWEEP_MS = 3_600_000;

/** Windows kept in one SQLite file. While it cannot be written, as on a full disk, this process counts on alone. */
export function openWindows(db: Database.Database, clock: Clock): Windows {
  db.exec(
    "CREATE TABLE IF NOT EXISTS windows (key TEXT PRIMARY KEY, used INTEGER NOT NULL, ends INTEGER NOT NULL)",
  );
  // One statement judges and counts, so that no call of any process comes between.
  const count = db.prepare(`
    INSERT INTO windows (key, used, ends) VALUES (@key, 1, @ends)
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN windows.ends > @now THEN windows.used + 1 ELSE 1 END,
      ends = CASE WHEN windows.ends > @now THEN windows.ends ELSE @ends END
    WHERE windows.ends <= @now OR windows.used < @quota`);
  const look = db.prepare<[string, number], Row>("SELECT used, ends FROM windows WHERE key = ? AND ends > ?");
  const forget = db.prepare("DELETE FROM windows WHERE ends <= ?");
  const alone = new Map<string, RateLimiterMemory>();
  let sweptAt = 0;

  function sweep(now: number): void {
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    forget.run(now);
  }

  function takeAlone(name: string, { quota, window }: Limit, key: string): Promise<number | null> {
    const id = `${name} ${quota} ${window}`;
    const limiter = alone.get(id) ?? new RateLimiterMemory({ points: quota, duration: window });
    alone.set(id, limiter);
    return refusalOf(limiter.consume(key));
  }

  return {
    async take(name, limit, caller) {
      const key = keyOf(name, limit, caller);
      const now = clock.now().getTime();
      try {
        sweep(now);
        const { changes } = count.run({ key, now, quota: limit.quota, ends: now + limit.window * 1_000 });
        return changes === 1 ? null : (look.get(key, now)?.ends ?? now) - now;
      } catch {
        return takeAlone(name, limit, key);
      }
    },
    async standing(name, limit, caller) {
      const now = clock.now().getTime();
      const row = look.get(keyOf(name, limit, caller), now);
      if (row === undefined) return { remaining: limit.quota, msLeft: 0 };
      return { remaining: Math.max(0, limit.quota - row.used), msLeft: row.ends - now };
    },
  };
}

/** The length of the window is part of the key and the quota is not: a change of plan keeps the calls counted so far. */
const keyOf = (name: string, { window }: Limit, caller: string): string => `${name}${window}:${caller}`;
