import { mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../src/lib/setup-error.ts";
import { openStore } from "../../src/store/open-store.ts";
import { runChild } from "../support/child.ts";
import { stoppedClock } from "../support/context.ts";
import { addAccount, fileStore } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("an open store", () => {
  it("restricts every file to its owner", async () => {
    const store = await fileStore();
    await addAccount(store.db);
    store.counters.exec("CREATE TABLE t (a)");
    const dataDir = dirname(store.file);
    const modes = Object.fromEntries(
      readdirSync(dataDir).map((name) => [name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]),
    );
    expect(modes).toEqual({
      "market-signal.db": "600",
      "market-signal.db-shm": "600",
      "market-signal.db-wal": "600",
      "meters.db": "600",
      "meters.db-shm": "600",
      "meters.db-wal": "600",
      "start.lock": "600",
    });
  });

  it("syncs the main database, but not the counters", async () => {
    const { db, counters } = await fileStore();
    const pragma = async (name: string) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    const FULL = 2;
    const OFF = 0;
    expect([await pragma("journal_mode"), await pragma("synchronous"), await pragma("foreign_keys")]).toEqual(
      ["wal", FULL, 1],
    );
    expect(counters.pragma("synchronous", { simple: true })).toBe(OFF);
  });

  it("never blocks the event loop to wait for another process", async () => {
    const { db } = await fileStore();
    const { rows } = await sql`pragma busy_timeout`.execute(db);
    expect(rows).toEqual([{ timeout: 0 }]);
  });

  it("rejects a key without an account", async () => {
    const { db } = await fileStore();
    const orphan = db.insertInto("keys").values({
      id: "k",
      account: "nobody",
      name: "n",
      kind: "live",
      hash: "h",
      last4: "abcd",
      scopes: "read",
      created_at: "t",
      expires_at: null,
      revoked_at: null,
      replaced_by: null,
      grace_until: null,
    });
    await expect(orphan.execute()).rejects.toThrow("FOREIGN KEY constraint failed");
  });

  it("reports in one line that a file in the folder cannot be used", async () => {
    const dataDir = tempDir();
    mkdirSync(join(dataDir, "market-signal.db"));
    await expect(openStore({ dataDir, clock: stoppedClock() })).rejects.toEqual(
      new SetupError(`DATA_DIR ${dataDir}: it cannot be used (EISDIR)`),
    );
  });

  it("opens a new folder for several processes at once, with a single first key", async () => {
    const dataDir = join(tempDir(), "data");
    const source = `
      import { createAccess } from "./src/access/access.ts";
      import { PLAN_SCHEDULES } from "./src/access/plans.ts";
      import { openKeyring } from "./src/store/accounts/keyring.ts";
      import { openStore } from "./src/store/open-store.ts";
      const clock = { now: () => new Date() };
      const store = await openStore({ dataDir: ${JSON.stringify(dataDir)}, clock });
      const ids = { uuid: () => crypto.randomUUID() };
      const access = createAccess({ keyring: openKeyring(store.db), clock, ids, schedule: PLAN_SCHEDULES.A });
      console.log((await access.createFirstKey()) === null ? "none" : "key");
      await store.close();`;
    const printed = await Promise.all([1, 2, 3].map(() => runChild(source)));
    expect(printed.sort()).toEqual(["key", "none", "none"]);
  });
});
