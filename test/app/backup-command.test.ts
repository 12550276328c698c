import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWithPassphrase } from "../../src/access/vault/passphrase.ts";
import { hasKeys, writeBackup } from "../../src/app/backup-command.ts";
import { readConfig } from "../../src/app/config.ts";
import { openInstallation } from "../../src/app/installation.ts";
import { SetupError } from "../../src/lib/setup-error.ts";
import { openBackup } from "../../src/store/backups/open-backup.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { collectingLog } from "../support/context.ts";
import { tempDir } from "../support/temp-dir.ts";

const PASSPHRASE = "correct horse battery";

/** An installation with a key, a sealed secret, a file of bars and the first entry of the audit log. */
async function usedInstallation() {
  const dataDir = join(tempDir(), "data");
  const config = readConfig({ DATA_DIR: dataDir });
  const installation = await openInstallation(config, { log: collectingLog().log });
  const { key } = await installation.access.create();
  installation.secretStore.vault.seal("canary-secret", "about");
  mkdirSync(join(dataDir, "bars"));
  writeFileSync(join(dataDir, "bars", "AAPL_1d.csv"), "datetime,close\n2026-01-02,1\n");
  return { dataDir, config, installation, key };
}

describe("a backup of an open installation", () => {
  it("is one private file with a manifest of all tables and files, without keys", async () => {
    const { dataDir, config, installation } = await usedInstallation();
    const report = writeBackup(config, { out: undefined, passphrase: null });
    expect(readdirSync(join(dataDir, "backups"))).toEqual([report.file.split("/").at(-1)]);
    expect((statSync(report.file).mode & 0o777).toString(8)).toBe("600");
    const { manifest, sealedKeys } = openBackup(report.file);
    expect(manifest).toEqual(report.manifest);
    expect(manifest.tables.keys?.rows).toBe(1);
    expect(manifest.files.map(({ name, bytes }) => [name, bytes])).toEqual([["bars/AAPL_1d.csv", 28]]);
    expect([manifest.keys, sealedKeys, report.excluded_key_files]).toEqual([[], null, ["master.key"]]);
    const master = readFileSync(join(dataDir, "master.key"), "utf8").trim();
    const bytes = readFileSync(report.file);
    expect(bytes.includes(master)).toBe(false);
    expect(bytes.includes("0".repeat(64))).toBe(false);
    await installation.close();
  });

  it("includes the keys under a passphrase", async () => {
    const { dataDir, config, installation } = await usedInstallation();
    const out = join(tempDir(), "out.db");
    expect(hasKeys(config)).toBe(true);
    const report = writeBackup(config, { out, passphrase: PASSPHRASE });
    expect(report.manifest.keys).toEqual(["master.key"]);
    const sealed = openBackup(out).sealedKeys ?? "";
    const master = readFileSync(join(dataDir, "master.key"), "utf8").trim();
    expect(JSON.parse(openWithPassphrase(sealed, PASSPHRASE) ?? "")).toEqual({
      "master.key": master,
    });
    expect(readFileSync(out).includes(master)).toBe(false);
    await installation.close();
  });

  it("replaces no file, and gets a new name in a folder", async () => {
    const { config, installation } = await usedInstallation();
    const folder = tempDir();
    const { file } = writeBackup(config, { out: folder, passphrase: null });
    expect(readdirSync(folder)).toEqual([file.split("/").at(-1)]);
    expect(() => writeBackup(config, { out: file, passphrase: null })).toThrow(
      `${file} exists; name another file`,
    );
    await installation.close();
  });

  it("creates no folder, and no file named like a folder that is missing", async () => {
    const { config, installation } = await usedInstallation();
    const folder = tempDir();
    const disk = join(folder, "usb");
    const missing = `There is no folder ${disk}; mount its disk or create it, or name a file that ends in .db, such as ${disk}.db`;
    for (const [out, message] of [
      [disk, missing],
      [`${disk}/`, missing],
      [
        join(disk, "a.db"),
        `The backup ${join(disk, "a.db")} cannot be written: the folder ${disk} does not exist; create it, or mount its disk`,
      ],
    ] as const)
      expect(() => writeBackup(config, { out, passphrase: null })).toThrow(new SetupError(message));
    expect(readdirSync(folder)).toEqual([]);
    await installation.close();
  });

  it("that cannot be written is refused in one sentence", async () => {
    const { config, installation } = await usedInstallation();
    const file = join(config.DATA_DIR, "master.key", "out.db");
    expect(() => writeBackup(config, { out: file, passphrase: null })).toThrow(
      `The backup ${file} cannot be written: a folder of its path is a file`,
    );
    await installation.close();
  });

  it("has no keys to include before the first one", async () => {
    const { dataDir, config, installation } = await usedInstallation();
    await installation.close();
    rmSync(join(dataDir, "master.key"), { force: true });
    const db = new Database(join(dataDir, "market-signal.db"));
    db.exec("DELETE FROM vault_key");
    db.close();
    expect(hasKeys(config)).toBe(false);
  });

  it("of a folder without a database is refused in one sentence", () => {
    const dataDir = join(tempDir(), "none");
    expect(hasKeys(readConfig({ DATA_DIR: dataDir }))).toBe(false);
    expect(() =>
      writeBackup(readConfig({ DATA_DIR: dataDir }), { out: undefined, passphrase: null }),
    ).toThrow(
      `There is no database in DATA_DIR ${dataDir}, so nothing to back up; set DATA_DIR to the data folder of the server`,
    );
  });

  it("with keys is refused if the master key of the secrets is missing", async () => {
    const { dataDir, config, installation } = await usedInstallation();
    await installation.close();
    const db = new Database(join(dataDir, "market-signal.db"));
    db.exec("INSERT INTO vault_key (one, id) VALUES (1, '0123456789abcdef')");
    db.close();
    expect(() => hasKeys(config)).toThrow("The secrets are sealed by the master key 0123456789abcdef");
    expect(() => writeBackup(config, { out: undefined, passphrase: PASSPHRASE })).toThrow(
      "The secrets are sealed by the master key 0123456789abcdef, which was not found; set MASTER_KEY_FILE to its path, or leave out --with-keys",
    );
  });
});
