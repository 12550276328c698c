import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Migration } from "kysely";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../src/lib/setup-error.ts";
import { openBackup } from "../../src/store/backups/open-backup.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import { collectingLog, stoppedClock } from "../support/context.ts";
import { addAccount } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

const clock = stoppedClock(new Date("2026-01-15T15:00:00.000Z"));
const notes: Migration = {
  up: (db) => db.schema.createTable("notes").addColumn("id", "text").execute(),
};
const failing: Migration = {
  async up(db) {
    await db.schema.alterTable("accounts").addColumn("half", "text").execute();
    throw new Error("half way");
  },
};

describe("migrations", () => {
  it("write no backup in a new folder", async () => {
    const dataDir = join(tempDir(), "data");
    await (await openStore({ dataDir, clock })).close();
    expect(existsSync(join(dataDir, "backups"))).toBe(false);
  });

  it("run once, after a backup named by the last migration", async () => {
    const dataDir = join(tempDir(), "data");
    await (await openStore({ dataDir, clock })).close();
    const { log, lines } = collectingLog();
    for (let start = 0; start < 2; start++)
      await (
        await openStore({ dataDir, clock, log, migrations: { ...MIGRATIONS, "9000-notes": notes } })
      ).close();
    const name = `market-signal-${Object.keys(MIGRATIONS).at(-1)}-20260115T150000000Z.db`;
    expect(readdirSync(join(dataDir, "backups"))).toEqual([name]);
    expect(lines).toMatchObject([
      { event: "database_migrated", fields: { backup: join(dataDir, "backups", name) } },
    ]);
  });

  it("leave the database unchanged when one of them fails", async () => {
    const dataDir = join(tempDir(), "data");
    const first = await openStore({ dataDir, clock });
    const tablesOf = async (store: typeof first) =>
      (await store.db.introspection.getTables()).map(({ name }) => name).sort();
    const before = await tablesOf(first);
    await addAccount(first.db);
    await first.close();
    const migrations = { ...MIGRATIONS, "9000-notes": notes, "9001-failing": failing };
    const update = openStore({ dataDir, clock, migrations });
    await expect(update).rejects.toThrow(SetupError);
    await expect(update).rejects.toThrow("could not be brought up to date (9001-failing); it is unchanged");
    const again = await openStore({ dataDir, clock });
    expect(await again.db.selectFrom("accounts").selectAll().execute()).toEqual([
      { id: "a", plan: "pro", overrides: null, created_at: "t", suspended_at: null },
    ]);
    expect(await tablesOf(again)).toEqual(before);
    await again.close();
  });

  it("are refused while a server or another process uses the folder, and change nothing", async () => {
    const dataDir = join(tempDir(), "data");
    const older = await openStore({ dataDir, clock });
    const newer = { dataDir, clock, migrations: { ...MIGRATIONS, "9000-notes": notes } };
    const server = { version: "0.1.0", url: "http://127.0.0.1:8787" };
    await expect(openStore({ ...newer, findServer: async () => server })).rejects.toThrow(
      new SetupError(
        "Version 0.1.0 of the server runs on this folder (http://127.0.0.1:8787), and this version would change its data; stop it, then start this version",
      ),
    );
    const counters = join(dataDir, "meters.db");
    await expect(openStore(newer)).rejects.toThrow(
      new SetupError(
        `Another process uses DATA_DIR ${dataDir}, and this version would change its data; stop it, then start this version. It is listed by: fuser -v '${counters}'`,
      ),
    );
    expect(existsSync(join(dataDir, "backups"))).toBe(false);
    await (await openStore({ dataDir, clock, findServer: async () => server })).close();
    await older.close();
    await (await openStore(newer)).close();
    expect(readdirSync(join(dataDir, "backups"))).toHaveLength(1);
  });

  it("of a newer version are refused, with the command that restores the last backup before them", async () => {
    const dataDir = join(tempDir(), "data");
    await (await openStore({ dataDir, clock })).close();
    const newer = await openStore({ dataDir, clock, migrations: { ...MIGRATIONS, "9000-notes": notes } });
    const unreadable = newer.backUp();
    await newer.close();
    const last = Object.keys(MIGRATIONS).at(-1);
    const backup = join(dataDir, "backups", `market-signal-${last}-20260115T150000000Z.db`);
    expect(openBackup(backup).manifest.data_version).toBe(last);
    expect(openBackup(unreadable).manifest.data_version).toBe("9000-notes");
    await expect(openStore({ dataDir, clock })).rejects.toThrow(
      `The database ${newer.file} was written by a newer version of Market Signal; run that version again. The newest backup that this version can read is ${backup}. Data written since that backup is not in the restored folder; the command keeps it in the folder aside-<time> in ${dataDir}. To go back to it, stop every server on this folder and run: DATA_DIR='${dataDir}' market-signal restore --replace '${backup}'`,
    );
    rmSync(backup);
    await expect(openStore({ dataDir, clock })).rejects.toThrow(
      "There is no backup that this version can read",
    );
  });

  it("are ordered by their names", () => {
    const names = Object.keys(MIGRATIONS);
    expect(names).toEqual([...names].sort());
    expect(names.filter((name) => !/^\d{4}-[a-z\d-]+$/.test(name))).toEqual([]);
  });
});
