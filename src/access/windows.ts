import type Database from "better-sqlite3";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRes,
  RateLimiterSQLite,
} from "rate-limiter-flexible";
import type { Limit } from "./plans.ts";

/** How one window of one caller stands. */
export interface Standing {
  readonly remaining: number;
  /** Milliseconds until the window ends; 0 where none has begun. */
  readonly msLeft: number;
}

/** Fixed windows, each begun by its first call and shared by every process on one file. */
export interface Windows {
  /** Counts one call. Null when it is admitted, else the milliseconds until the next window. */
  take(name: string, limit: Limit, caller: string): Promise<number | null>;
  standing(name: string, limit: Limit, caller: string): Promise<Standing>;
}

const TABLE = "windows";
const SWEEP_MS = 3_600_000;

/** Windows kept in one SQLite file. Where it cannot be written, as on a full disk, this process counts on alone. */
export function openWindows(db: Database.Database): Windows {
  db.exec(
    `CREATE TABLE IF NOT EXISTS ${TABLE} (key TEXT PRIMARY KEY, points INTEGER NOT NULL DEFAULT 0, expire INTEGER)`,
  );
  const storeClient = preparing(db);
  const limiters = new Map<string, RateLimiterAbstract>();
  let sweptAt = 0;

  function limiter(name: string, { quota, window }: Limit): RateLimiterAbstract {
    // The quota stays out of the stored key, so that a change of plan keeps the calls counted so far.
    const keyPrefix = `${name}${window}`;
    const id = `${keyPrefix}/${quota}`;
    const known = limiters.get(id);
    if (known !== undefined) return known;
    const made = new RateLimiterSQLite({
      storeClient,
      storeType: "better-sqlite3",
      tableName: TABLE,
      tableCreated: true,
      keyPrefix,
      points: quota,
      duration: window,
      // A caller who used up the window is refused from memory, so refusals are neither written nor counted.
      inMemoryBlockOnConsumed: quota,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points: quota, duration: window }),
    });
    limiters.set(id, made);
    return made;
  }

  function sweep(): void {
    const now = Date.now();
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    try {
      storeClient.prepare(`DELETE FROM ${TABLE} WHERE expire < ?`).run(now);
    } catch {
      // Whatever keeps the file from being written keeps it for a later sweep too.
    }
  }

  return {
    async take(name, limit, caller) {
      sweep();
      return refusalOf(limiter(name, limit).consume(caller));
    },
    async standing(name, limit, caller) {
      const found = await limiter(name, limit).get(caller);
      return { remaining: found?.remainingPoints ?? limit.quota, msLeft: found?.msBeforeNext ?? 0 };
    },
  };
}

/** Null where the call was admitted, else the milliseconds to wait. */
export async function refusalOf(counting: Promise<RateLimiterRes>): Promise<number | null> {
  try {
    await counting;
    return null;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext;
    throw refusal;
  }
}

/** The connection as the limiter uses it, with statements prepared once and without a transaction around a single one. */
function preparing(db: Database.Database) {
  const statements = new Map<string, Database.Statement>();
  return {
    prepare(sql: string): Database.Statement {
      const known = statements.get(sql) ?? db.prepare(sql);
      statements.set(sql, known);
      return known;
    },
    transaction: <T>(work: () => T) => work,
  };
}
