import { openStore } from "../../src/store/open-store.ts";
import { openPostgresStore } from "../../src/store/postgres/open-store.ts";
import type { Store } from "../../src/store/store.ts";

/** Opens the store of a server with these settings: its database of PostgreSQL, or its data folder. */
export function openStoreAt({ DATA_DIR, DATABASE_URL }: Readonly<Record<string, string>>): Promise<Store> {
  const clock = { now: () => new Date() };
  return DATABASE_URL === undefined
    ? openStore({ dataDir: DATA_DIR!, clock })
    : openPostgresStore({ url: DATABASE_URL, clock });
}
