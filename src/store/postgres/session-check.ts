import { randomBytes } from "node:crypto";
import type pg from "pg";
import { SetupError } from "../../lib/setup-error.ts";
import { newClient } from "./pool.ts";

/** Time in which a message must arrive. */
const ARRIVAL_MS = 5_000;

/**
 * Checks that messages between connections and session locks work, as servers need them. `setting`: name of the setting
 * with the address. @throws SetupError for a pooler in transaction mode, behind which both get lost
 */
export async function assertSessions(
  url: string,
  setting: string,
  connect = (): Pick<pg.Client, "connect" | "query" | "once" | "end"> => newClient(url),
): Promise<void> {
  const [here, there] = [connect(), connect()];
  // a random key, because the connection of a pooler keeps holding the lock
  const [name, lock] = [
    `market_signal_check_${randomBytes(8).toString("hex")}`,
    randomBytes(4).readInt32BE(),
  ];
  const timeout = new AbortController();
  try {
    await Promise.all([here.connect(), there.connect()]);
    const arrived = new Promise<boolean>((resolve) => {
      here.once("notification", () => resolve(true));
      const timer = setTimeout(() => resolve(false), ARRIVAL_MS);
      timeout.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    await here.query(`LISTEN ${name}`);
    await here.query(`SELECT pg_advisory_lock(${lock})`);
    const { rows } = await there.query<{ isFree: boolean }>(
      `SELECT pg_try_advisory_lock(${lock}) AS "isFree"`,
    );
    await there.query(`NOTIFY ${name}`);
    if (!rows[0]!.isFree && (await arrived)) return;
  } finally {
    timeout.abort();
    await Promise.allSettled([here.end(), there.end()]);
  }
  throw new SetupError(
    `${setting} is the address of a pooler in transaction mode, behind which messages between servers and session locks get lost. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or of a pooler in session mode; DATABASE_URL may stay as it is`,
  );
}
