import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBackup } from "../../../src/store/backups/open-backup.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { addAccount, fileStore } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

async function backupFile(): Promise<string> {
  const store = await fileStore();
  await addAccount(store.db);
  return store.backUp();
}

/** Changes a backup by SQL, which leaves the file intact for SQLite. */
function change(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

describe("a backup is refused", () => {
  it("if a row, a table, a file or the manifest was changed", async () => {
    const file = await backupFile();
    const whole = readFileSync(file);
    const refusals = [
      "UPDATE accounts SET plan = 'enterprise'",
      "DROP TABLE keys",
      "CREATE INDEX more ON accounts (plan)",
      "UPDATE backup_manifest SET value = replace(value, '\"version\"', '\"other\"') WHERE name = 'manifest'",
      "DELETE FROM backup_manifest WHERE name = 'sha256'",
    ].map((sql) => {
      writeFileSync(file, whole);
      change(file, sql);
      try {
        openBackup(file);
        return "opened";
      } catch (cause) {
        return (cause as Error).message.replace(file, "F");
      }
    });
    expect(refusals).toEqual([
      "The backup F is damaged: the rows of its table accounts differ from its manifest; restore another one",
      "The backup F is damaged: the rows of its table keys differ from its manifest; restore another one",
      "The backup F is damaged: its tables differ from its manifest; restore another one",
      "The backup F is damaged: its manifest was changed; restore another one",
      "The backup F is damaged: its manifest was changed; restore another one",
    ]);
  });

  it("if it was cut", async () => {
    const file = await backupFile();
    writeFileSync(file, readFileSync(file).subarray(0, 50_000));
    expect(() => openBackup(file)).toThrow(
      /^The backup .* is damaged: it(s integrity check fails| cannot be read); restore/,
    );
  });

  it("if it is another file or missing", () => {
    const file = join(tempDir(), "x.db");
    expect(() => openBackup(file)).toThrow(`The backup ${file} cannot be read: it does not exist`);
    expect(() => openBackup(tempDir())).toThrow(/cannot be read: it is a folder; name a file in it$/);
    writeFileSync(file, "PK and more text than a header");
    expect(() => openBackup(file)).toThrow(`${file} is not a backup of Market Signal`);
    writeFileSync(file, "");
    change(file, "CREATE TABLE other (id)");
    expect(() => openBackup(file)).toThrow(`${file} is not a backup of Market Signal`);
  });
});

it("opens a plain copy of a database, which has no manifest", async () => {
  const file = await backupFile();
  change(file, "DROP TABLE backup_manifest; DROP TABLE backup_files");
  const { hasManifest, manifest } = openBackup(file);
  expect([hasManifest, manifest.tables.accounts?.rows, manifest.version]).toEqual([false, 1, undefined]);
});
