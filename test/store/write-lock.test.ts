import { describe, expect, it, onTestFinished } from "vitest";
import type { Log } from "../../src/domain/ports.ts";
import { SetupError } from "../../src/lib/setup-error.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { execWhenUnlocked } from "../../src/store/write-lock.ts";
import { collectingLog, stoppedClock } from "../support/context.ts";
import { fileStore } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

const clock = stoppedClock();

/** Another process that holds the write lock of a database until the wait for it is logged. */
function holdLock(file: string) {
  const other = new Database(file);
  onTestFinished(() => void other.close());
  other.exec("BEGIN IMMEDIATE");
  const { log: collecting, lines } = collectingLog();
  const log: Log = {
    ...collecting,
    warn(event, fields) {
      collecting.warn(event, fields);
      other.exec("ROLLBACK");
    },
  };
  const logged = [{ level: "warn", event: "database_locked", fields: { file, waits_s: 10 } }];
  return { log, lines, logged };
}

describe("a start while another process holds the write lock", () => {
  it("waits until it is released, which is logged once", async () => {
    const dataDir = tempDir();
    const { file, close } = await openStore({ dataDir, clock });
    await close();
    const { log, lines, logged } = holdLock(file);
    const store = await openStore({ dataDir, clock, log });
    expect(lines).toEqual([]);
    await store.waitForWriteLock();
    expect(lines).toMatchObject(logged);
    await store.close();
  });

  it("also waits before a migration", async () => {
    const dataDir = tempDir();
    const { file, close } = await openStore({ dataDir, clock });
    await close();
    const { log, lines, logged } = holdLock(file);
    const migrations = { ...MIGRATIONS, "9999-added": { up: async () => {} } };
    const store = await openStore({ dataDir, clock, log, migrations });
    expect(lines.slice(0, 1)).toMatchObject(logged);
    await store.close();
  });

  it("is refused when the lock stays taken, with the commands that find the process", async () => {
    const { file } = await fileStore();
    const other = new Database(file);
    const db = new Database(file, { timeout: 0 });
    onTestFinished(() => {
      other.close();
      db.close();
    });
    other.exec("BEGIN IMMEDIATE");
    await expect(execWhenUnlocked(db, "BEGIN IMMEDIATE", undefined, 100)).rejects.toEqual(
      new SetupError(
        `Another process has held the write lock of ${file} for 0.1 s. Find it with fuser -v '${file}' or lsof '${file}', end it, then start again`,
      ),
    );
  });
});
