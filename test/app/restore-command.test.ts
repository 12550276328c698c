import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyAuditLog } from "../../src/access/audit/audit-check.ts";
import { createApp } from "../../src/app/app.ts";
import { writeBackup } from "../../src/app/backup-command.ts";
import { type Config, readConfig } from "../../src/app/config.ts";
import { restoreBackup } from "../../src/app/restore-command.ts";
import { sealSetting } from "../../src/app/sealed-settings.ts";
import { assertNotInUse } from "../../src/store/backups/stage.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { connections } from "../../src/store/trading/connections.ts";
import { LIVE, open, restorable } from "../support/restorable.ts";
import { tempDir } from "../support/temp-dir.ts";

const PASSPHRASE = "correct horse battery";
const noPassphrase = () => Promise.reject(new Error("asked for a passphrase"));
const plainly = { replace: false, dryRun: false, passphrase: noPassphrase };
const LIVE_CONNECTION = {
  account: "ada",
  market: "test",
  connection_id: LIVE,
  broker: "alpaca",
  account_type: "live",
};
const CHANGES = {
  agents: [{ account: "ada", agent: "trend", agent_id: "ag_1" }],
  deliveries: [
    {
      account: "ada",
      delivery_id: "dl_0",
      target: "hooks.example.com",
      created_at: "2026-01-15T15:00:00.000Z",
    },
  ],
  live_connections: [LIVE_CONNECTION],
};
const emptyFolder = (): Config => readConfig({ DATA_DIR: join(tempDir(), "data") });

/** A closed installation and a backup of it. */
async function backedUp(options: { readonly withKeys?: boolean } = {}) {
  const { config, installation, key } = await restorable(tempDir());
  mkdirSync(join(config.DATA_DIR, "bars"));
  writeFileSync(join(config.DATA_DIR, "bars", "AAPL_1d.csv"), "datetime,close\n");
  const passphrase = options.withKeys ? PASSPHRASE : null;
  const { file } = writeBackup(config, { out: tempDir(), passphrase });
  await installation.close();
  return { config, file, key };
}

describe("a restored backup", () => {
  it("has all that was stored, stops agents, sends no due alert and continues the audit log", async () => {
    const { file, key } = await backedUp({ withKeys: true });
    const config = emptyFolder();
    const report = await restoreBackup(config, { ...plainly, file, passphrase: async () => PASSPHRASE });
    expect(report).toMatchObject({
      ...CHANGES,
      dry_run: false,
      previous_content: null,
      master_key_source: "backup",
      unusable_connections: [],
      audit_seq: 2,
    });
    expect(
      readdirSync(config.DATA_DIR)
        .filter((name) => !name.startsWith("start.lock"))
        .sort(),
    ).toEqual([
      "audit-head",
      "bars",
      "market-signal.db",
      "market-signal.db.sha256",
      "master.key",
      "meters.db",
    ]);
    const restored = await open(config);
    await restored.access.identify(key);
    const { db } = restored.store;
    expect(await db.selectFrom("agents").select(["state", "reason", "next_at"]).execute()).toEqual([
      {
        state: "stopped",
        reason: `The server was restored from a backup of ${report.manifest.created_at}`,
        next_at: null,
      },
    ]);
    const states = await db.selectFrom("deliveries").select(["id", "state"]).orderBy("id").execute();
    expect(states.map(({ state }) => state)).toEqual(["undelivered", "delivered"]);
    const [entry] = await restored.auditRepository.entries(1, 1);
    expect([entry?.event, JSON.parse(entry?.about ?? "")]).toEqual([
      "restored",
      {
        by: "owner",
        backup: file.split("/").at(-1),
        made_at: report.manifest.created_at,
        version: report.manifest.version,
        data_version: report.manifest.data_version,
        replaced_head: null,
        agents: 1,
        deliveries: 1,
        live_connections: 1,
      },
    ]);
    const log = { repository: restored.auditRepository, vault: restored.secretStore.vault };
    expect((await verifyAuditLog(log)).faults).toEqual([]);
    const book = connections({ db, market: "test", vault: restored.secretStore.vault });
    expect((await book.find("ada", LIVE))?.credentials.api_key).toBe("canary-broker-key");
    expect((await restored.restoreNotes()).join()).toContain(
      `live orders wait until reconcile_orders has read the orders of ${LIVE} (alpaca live of ada)`,
    );
    await restored.close();
  });

  it("is shown by a dry run, which changes nothing", async () => {
    const { file } = await backedUp({ withKeys: true });
    const config = emptyFolder();
    const report = await restoreBackup(config, { ...plainly, file, dryRun: true });
    expect(report).toMatchObject({ ...CHANGES, dry_run: true, audit_seq: null, has_manifest: true });
    expect(report).toMatchObject({ refusals: [], moved: [] });
    expect(report.manifest.tables.keys?.rows).toBe(1);
    expect(existsSync(config.DATA_DIR)).toBe(false);
  });

  it("is refused by a dry run as a restore would be, or shows what would be moved", async () => {
    const { config, file } = await backedUp();
    const dryRun = async (replace: boolean) => {
      const { refusals, moved } = await restoreBackup(config, { ...plainly, file, dryRun: true, replace });
      return { refusals, moved };
    };
    const content = readdirSync(config.DATA_DIR).filter((name) => !/^(backups|start\.lock)/.test(name));
    const notEmpty = expect.stringContaining(`DATA_DIR ${config.DATA_DIR} is not empty (`);
    expect(await dryRun(false)).toEqual({ refusals: [notEmpty], moved: [] });
    expect(await dryRun(true)).toEqual({ refusals: [], moved: expect.arrayContaining(content) });
    const db = new Database(join(config.DATA_DIR, "market-signal.db"));
    db.exec("BEGIN IMMEDIATE");
    const inUse = expect.stringContaining(`A server or command is using ${config.DATA_DIR}; stop it`);
    const meters = new Database(join(config.DATA_DIR, "meters.db"));
    meters.exec("BEGIN IMMEDIATE");
    expect((await dryRun(false)).refusals).toEqual([notEmpty, inUse]);
    expect((await dryRun(true)).refusals).toEqual([inUse]);
    expect(() => assertNotInUse(config.DATA_DIR, "run vault forget --yes")).toThrow(
      `A server or command is using ${config.DATA_DIR}; stop it, then run vault forget --yes. fuser -v `,
    );
    meters.close();
    db.close();
  });

  it("without the master key opens, lists the lost connections, and is complete once the key is there", async () => {
    const { config: before, file } = await backedUp();
    const config = emptyFolder();
    const report = await restoreBackup(config, { ...plainly, file });
    expect(report).toMatchObject({
      master_key_source: null,
      unusable_connections: [LIVE_CONNECTION],
      audit_seq: null,
    });
    const locked = await open(config);
    await locked.verifySecrets();
    expect((await locked.restoreNotes())[0]).toMatch(
      new RegExp(`^restored without the master key, .*Connections that cannot be used: ${LIVE} \\(alpaca`),
    );
    await locked.close();
    writeFileSync(join(config.DATA_DIR, "master.key"), readFileSync(join(before.DATA_DIR, "master.key")));
    const opened = await open(config);
    await opened.verifySecrets();
    expect((await opened.auditRepository.entries(1, 9)).map(({ event }) => event)).toEqual(["restored"]);
    await opened.close();
    // from then on the key is required again
    rmSync(join(config.DATA_DIR, "master.key"));
    const lost = await open(config);
    await expect(lost.verifySecrets()).rejects.toThrow("are sealed by the master key");
    await lost.close();
  });

  it("without the master key starts a server without the secret settings of the vault", async () => {
    const { config: before, installation } = await restorable(tempDir());
    await sealSetting(installation.secrets, "FINNHUB_TOKEN", "sealed-token");
    await installation.close();
    const { file } = writeBackup(before, { out: tempDir(), passphrase: null });
    const config = emptyFolder();
    await restoreBackup(config, { ...plainly, file });
    const locked = await createApp(config);
    expect(locked.config.FINNHUB_TOKEN).toBeUndefined();
    await locked.close();
    copyFileSync(join(before.DATA_DIR, "master.key"), join(config.DATA_DIR, "master.key"));
    const opened = await createApp(config);
    expect(opened.config.FINNHUB_TOKEN).toBe("sealed-token");
    await opened.close();
  });

  it("replaces a folder only when told to, keeps its content aside and its master key in use", async () => {
    const { config, file, key } = await backedUp();
    const later = await open(config);
    const { key: lost } = await later.access.create();
    const refused = restoreBackup(config, { ...plainly, file, replace: true });
    await expect(refused).rejects.toThrow(`A server or command is using ${config.DATA_DIR}; stop it`);
    await later.close();
    await expect(restoreBackup(config, { ...plainly, file })).rejects.toThrow(
      `DATA_DIR ${config.DATA_DIR} is not empty (audit-head, bars, market-signal.db); add --replace`,
    );
    const report = await restoreBackup(config, { ...plainly, file, replace: true });
    expect(report).toMatchObject({ master_key_source: "data folder", audit_seq: 2 });
    const restored = await open(config);
    await restored.access.identify(key);
    await expect(restored.access.identify(lost)).rejects.toThrow();
    await restored.close();
    const old = await open(readConfig({ DATA_DIR: report.previous_content ?? "" }));
    await old.access.identify(lost);
    await old.close();
  });
});

describe("a restore is refused", () => {
  it("for a backup with a newer data version, and leaves no trace", async () => {
    const { file } = await backedUp();
    const db = new Database(file);
    db.exec("DROP TABLE backup_manifest; INSERT INTO kysely_migration VALUES ('9000-notes', '')");
    db.close();
    const config = emptyFolder();
    await expect(restoreBackup(config, { ...plainly, file })).rejects.toThrow(
      `The backup ${file} was written by a newer version of Market Signal with data version 9000-notes`,
    );
    expect(existsSync(config.DATA_DIR)).toBe(false);
  });

  it("with a wrong passphrase", async () => {
    const { file } = await backedUp({ withKeys: true });
    const config = emptyFolder();
    const passphrase = async () => "another passphrase";
    await expect(restoreBackup(config, { ...plainly, file, passphrase })).rejects.toThrow(
      `The passphrase does not open the keys in ${file}; nothing was changed, try again`,
    );
    expect(existsSync(config.DATA_DIR)).toBe(false);
  });
});
