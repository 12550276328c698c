import { openStore } from "../../src/store/open-store.ts";
import { openPostgresStore } from "../../src/store/postgres/open-store.ts";
import type { Store } from "../../src/store/store.ts";

export const realClock = { now: () => new Date() };
/** Lease of a job: time for which that of a killed process is not taken by another one. */
export const LEASE_MS = 1_000;

/** Opens the address of a database of PostgreSQL, or a folder of SQLite. */
export const openJobsStore = (database: string): Promise<Store> =>
  /^postgres/.test(database)
    ? openPostgresStore({ url: database, clock: realClock })
    : openStore({ dataDir: database, clock: realClock });
