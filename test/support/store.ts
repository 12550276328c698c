import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createAccess } from "../../src/access/access.ts";
import { PLAN_SCHEDULES } from "../../src/access/plans.ts";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import { openStore, type Store, type StoreOptions } from "../../src/store/open-store.ts";
import { countingIds, NOW } from "./context.ts";
import { tempDir } from "./temp-dir.ts";

/** A clock that moves only when told to. */
export function movingClock(start = NOW) {
  let at = start.getTime();
  return {
    now: () => new Date(at),
    pass: (ms: number): void => {
      at += ms;
    },
  };
}

/** An open store of the running test alone, closed when the test is over. */
export async function testStore(options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore({ dataDir: join(tempDir(), "data"), clock: movingClock(), ...options });
  onTestFinished(() => store.close());
  return store;
}

/** Access over a new store, on a clock that the test moves. */
export async function testAccess(schedule = PLAN_SCHEDULES.A) {
  const clock = movingClock();
  const store = await testStore({ clock });
  const keyring = openKeyring(store.db);
  return { access: createAccess({ keyring, clock, ids: countingIds(), schedule }), clock, keyring, store };
}
