import type { Limit } from "../../domain/accounts/windows-port.ts";
import { latestEnd } from "../../lib/expiry.ts";
import { LASTING_S } from "../accounts/windows.ts";

/** A window as the database last returned it: calls counted, and its end, epoch ms of the database. */
export interface WindowRow {
  readonly used: number;
  readonly ends: number;
}

/** Time of a statement, ms: that of the database, so that the clocks of several machines do not matter, or that of $1. */
export const NOW = "coalesce($1::bigint, (extract(epoch from statement_timestamp()) * 1000)::bigint)";

interface Read {
  readonly key: string;
  readonly limit: Limit;
  readonly resolve: (row: WindowRow | null) => void;
  readonly reject: (cause: unknown) => void;
}

/** Runs a statement; the first value is the time of the statement, null for that of the database. */
type Query = (text: string, more: readonly unknown[]) => Promise<readonly ReadRow[]>;

interface ReadRow extends WindowRow {
  readonly key: string;
}

/** $2: keys, $3: their latest ends from now on, ms, $4: whether they are lasting windows. */
const readFrom = (table: string): string => `
  SELECT w.key, w.used, w.ends, ${NOW} AS now
  FROM unnest($2::text[], $3::bigint[], $4::boolean[]) AS wanted (key, latest, is_lasting)
  JOIN ${table} AS w ON w.key = wanted.key
  WHERE wanted.is_lasting = ${table === "lasting_windows"} AND w.ends BETWEEN ${NOW} + 1 AND ${NOW} + wanted.latest`;
const READ = `${readFrom("burst_windows")} UNION ALL ${readFrom("lasting_windows")}`;

/**
 * Creates a function that reads a running window; null if none runs. Windows that are read in one iteration of the event
 * loop, such as all those of a response, share a statement.
 */
export function windowReader(query: Query) {
  let waiting: Read[] = [];

  async function readAll(): Promise<void> {
    const reads = waiting;
    waiting = [];
    const known = new Map(reads.map(({ key, limit }) => [key, limit.window]));
    const ends = [...known.values()].map((seconds) => latestEnd(0, seconds * 1_000));
    const areLasting = [...known.values()].map((seconds) => seconds > LASTING_S);
    try {
      const rows = await query(READ, [[...known.keys()], ends, areLasting]);
      const found = new Map(rows.map((row) => [row.key, row]));
      for (const { key, resolve } of reads) resolve(found.get(key) ?? null);
    } catch (cause) {
      for (const { reject } of reads) reject(cause);
    }
  }

  return (key: string, limit: Limit): Promise<WindowRow | null> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(readAll);
      waiting.push({ key, limit, resolve, reject });
    });
}
