import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Migration } from "kysely";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../src/lib/setup-error.ts";
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
      { id: "a", plan: "pro", overrides: null, created_at: "t" },
    ]);
    expect(await tablesOf(again)).toEqual(before);
    await again.close();
  });

  it("of a newer version are refused", async () => {
    const dataDir = join(tempDir(), "data");
    const newer = await openStore({ dataDir, clock, migrations: { ...MIGRATIONS, "9000-notes": notes } });
    await newer.close();
    await expect(openStore({ dataDir, clock })).rejects.toThrow(
      `The database ${newer.file} was written by a newer version of Market Signal`,
    );
  });

  it("are ordered by their names", () => {
    const names = Object.keys(MIGRATIONS);
    expect(names).toEqual([...names].sort());
    expect(names.filter((name) => !/^\d{4}-[a-z\d-]+$/.test(name))).toEqual([]);
  });
});
