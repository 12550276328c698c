import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createAuditService } from "../../src/access/audit/audit-check.ts";
import { backUpInstallation } from "../../src/app/backup-command.ts";
import { type Config, readConfig } from "../../src/app/config.ts";
import { restoreBackup } from "../../src/app/restore-command.ts";
import { openBackup } from "../../src/store/backups/open-backup.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../support/postgres.ts";
import { open, restorable } from "../support/restorable.ts";
import { tempDir } from "../support/temp-dir.ts";

const PASSPHRASE = "correct horse battery";
const plainly = { replace: false, dryRun: false, passphrase: async () => PASSPHRASE };

async function openRestored(config: Config) {
  const installation = await open(config);
  onTestFinished(() => installation.close());
  return installation;
}

onPostgres.describe("a backup of PostgreSQL", () => {
  it("is written beside a running server, and restored into an empty database or into SQLite", async () => {
    const DATABASE_URL = await createDatabase(POSTGRES_URL!);
    const { config, installation, key } = await restorable(tempDir(), { DATABASE_URL });
    const out = join(tempDir(), "backup.db");
    rmSync(join(config.DATA_DIR, "audit-head")); // as in the folder of a server that wrote no entry itself
    const { file, excluded_key_files } = await backUpInstallation(config, { out, passphrase: PASSPHRASE });
    expect(excluded_key_files).toEqual([]);
    expect(openBackup(file).manifest.tables).toMatchObject({ agents: { rows: 1 }, deliveries: { rows: 2 } });
    expect(readdirSync(config.DATA_DIR).filter((name) => name.startsWith("copy-"))).toEqual([]);

    const refusal = /the tables .* have rows, which a copy never overwrites/;
    const toFilled = readConfig({ DATA_DIR: join(tempDir(), "data"), DATABASE_URL });
    const url = await createDatabase(POSTGRES_URL!);
    const inPostgres = readConfig({ DATA_DIR: join(tempDir(), "data"), DATABASE_URL: url });
    const planned = await restoreBackup(inPostgres, { ...plainly, file, dryRun: true });
    expect(planned).toMatchObject({ refusals: [], dry_run: true });
    const inSqlite = readConfig({ DATA_DIR: join(tempDir(), "data"), DATABASE_URL: "" });
    for (const target of [inPostgres, inSqlite]) {
      const report = await restoreBackup(target, { ...plainly, file });
      expect(report).toMatchObject({ master_key_source: "backup", audit_seq: 2, unusable_connections: [] });
      const restored = await openRestored(target);
      expect(restored.store.file === null).toBe(target === inPostgres);
      await restored.access.identify(key);
      expect(await restored.store.db.selectFrom("agents").select("state").execute()).toEqual([
        { state: "stopped" },
      ]);
      expect(await createAuditService(restored).check({})).toMatchObject({ ok: true, entries: 2 });
    }
    expect(readdirSync(inPostgres.DATA_DIR).filter((name) => name.endsWith(".db"))).toEqual([]);
    await installation.close();
    expect((await restoreBackup(toFilled, { ...plainly, file, dryRun: true })).refusals).toEqual([
      expect.stringMatching(refusal),
    ]);
    await expect(restoreBackup(toFilled, { ...plainly, file })).rejects.toThrow(refusal);
  });
});
