import { statSync, utimesSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { newestBackup } from "../../src/store/backup.ts";
import { addAccount, fileStore, movingClock } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("a backup", () => {
  it("is a private copy of the database, named by its time", async () => {
    const store = await fileStore({ clock: movingClock(new Date("2026-01-15T15:00:00.000Z")) });
    await addAccount(store.db);
    const file = store.backUp();
    expect(file).toMatch(/backups\/market-signal-manual-20260115T150000000Z\.db$/);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    const copy = new Database(file, { readonly: true });
    expect(copy.prepare("SELECT id FROM accounts").pluck().all()).toEqual(["a"]);
    copy.close();
  });

  it("is found by its modification time", async () => {
    const clock = movingClock();
    const store = await fileStore({ clock });
    const first = store.backUp();
    clock.pass(1);
    const second = store.backUp();
    const dataDir = first.slice(0, first.indexOf("/backups/"));
    utimesSync(second, 1_000, 1_000);
    expect(newestBackup(dataDir)).toBe(first);
    utimesSync(first, 500, 500);
    expect(newestBackup(dataDir)).toBe(second);
  });

  it("is null when there is none", () => {
    expect(newestBackup(tempDir())).toBeNull();
  });
});
