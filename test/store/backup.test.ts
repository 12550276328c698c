import { rmSync, statSync, utimesSync } from "node:fs";
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

  it("is found by the time in its name; one from the future only if there is no other", async () => {
    const clock = movingClock();
    const store = await fileStore({ clock });
    const first = store.backUp();
    const dataDir = first.slice(0, first.indexOf("/backups/"));
    utimesSync(first, 1_000, 1_000);
    clock.pass(1);
    const second = store.backUp();
    utimesSync(second, 500, 500);
    const now = clock.now();
    expect(newestBackup(dataDir, now)).toBe(second);
    clock.pass(365 * 86_400_000);
    const ahead = store.backUp();
    expect(newestBackup(dataDir, now)).toBe(second);
    expect(newestBackup(dataDir, clock.now())).toBe(ahead);
    rmSync(first);
    rmSync(second);
    expect(newestBackup(dataDir, now)).toBe(ahead);
  });

  it("is null when there is none", () => {
    expect(newestBackup(tempDir(), new Date())).toBeNull();
  });
});
