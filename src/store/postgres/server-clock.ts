import { type Kysely, sql } from "kysely";
import type { Clock } from "../../domain/ports.ts";
import type { Schema } from "../schema.ts";

const MEASURE_MS = 15_000;
/** Difference that is ignored, because a measurement over a network is not more exact. */
const NOISE_MS = 20;
/** Longest round trip of a measurement that is used: a longer one is too inexact. */
const MAX_ROUND_TRIP_MS = 1_000;

/** Returns by how many milliseconds the clock of the database is ahead of a clock, and how long it took to respond. */
export async function measureClock(
  db: Kysely<Schema>,
  clock: Clock,
): Promise<{ readonly ahead: number; readonly roundTrip: number }> {
  const sentAt = performance.now();
  const { rows } = await sql<{ readonly ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db);
  const roundTrip = performance.now() - sentAt;
  return { ahead: rows[0]!.ms + roundTrip / 2 - clock.now().getTime(), roundTrip };
}

export interface ServerClock extends Clock {
  close(): void;
}

/**
 * Returns the time of the database: that of this machine, corrected by the difference between the two, which is measured
 * every 15 seconds. Leases and limits that servers share must not depend on the clock of each. While the database does
 * not answer, the last difference is used.
 */
export async function serverClock(db: Kysely<Schema>, machine: Clock): Promise<ServerClock> {
  let difference = 0;
  async function measure(): Promise<void> {
    const { ahead: measured, roundTrip } = await measureClock(db, machine);
    if (roundTrip <= MAX_ROUND_TRIP_MS && Math.abs(measured - difference) > roundTrip / 2 + NOISE_MS)
      difference = measured;
  }
  await measure();
  const timer = setInterval(() => void measure().catch(() => {}), MEASURE_MS).unref();
  return {
    now: () => new Date(Math.round(machine.now().getTime() + difference)),
    close: () => clearInterval(timer),
  };
}
