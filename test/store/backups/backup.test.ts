import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newestBackup } from "../../../src/store/backups/backup.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { addAccount, fileStore, movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

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

  it("is found by the time in its name, not by its label or modification time", () => {
    const dataDir = tempDir();
    const folder = join(dataDir, "backups");
    mkdirSync(folder);
    const add = (name: string) => {
      writeFileSync(join(folder, name), "");
      return join(folder, name);
    };
    const newestAt = (time: string) => newestBackup(dataDir, new Date(time));
    const newer = add("market-signal-daily-20260116T150000000Z.db");
    const older = add("market-signal-manual-20260115T150000000Z.db");
    add("copy.db");
    expect(newestAt("2026-01-17T00:00:00.000Z")).toBe(newer);
    const future = add("market-signal-daily-20360101T000000000Z.db");
    expect(newestAt("2026-01-17T00:00:00.000Z")).toBe(newer);
    expect(newestAt("2026-01-16T00:00:00.000Z")).toBe(older);
    expect(newestAt("2025-01-01T00:00:00.000Z")).toBe(future);
  });

  it("is null when there is none", () => {
    expect(newestBackup(tempDir(), new Date())).toBeNull();
  });
});
