import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditOf } from "../../src/access/audit/audit.ts";
import { SetupError } from "../../src/lib/setup-error.ts";
import { auditLog } from "../../src/store/audit/audit-log.ts";
import { backupStamp } from "../../src/store/backups/backup.ts";
import { checksumPath } from "../../src/store/checksum.ts";
import { openStore } from "../../src/store/open-store.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { truncateWal } from "../../src/store/vault/seals.ts";
import { auditVault } from "../support/audit-forgeries.ts";
import { collectingLog, stoppedClock } from "../support/context.ts";
import { withMarketSignal } from "../support/market-signal-command.ts";
import { accessTo, addAccount, fileStore } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

const clock = stoppedClock();

async function closedStore(options: { readonly backup?: boolean } = {}) {
  const dataDir = join(tempDir(), "it's data");
  const store = await openStore({ dataDir, clock });
  await addAccount(store.db);
  const backup = options.backup ? store.backUp() : null;
  await store.close();
  return { dataDir, file: store.file, backup };
}

const spoil = (file: string, at: number) => {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, at, at + 64);
  writeFileSync(file, bytes);
  rmSync(checksumPath(file)); // As after a crash: the checksum is missing.
};
const refusal = (dataDir: string) =>
  openStore({ dataDir, clock }).then(
    (store) => store.close(),
    (thrown: unknown) => thrown,
  );

describe("a damaged database", () => {
  it("is refused with a command that restores it", async () => {
    const { dataDir, file, backup } = await closedStore({ backup: true });
    spoil(file, 4096);
    const thrown = (await refusal(dataDir)) as Error;
    expect(thrown).toBeInstanceOf(SetupError);
    const [said, command = ""] = thrown.message.split("run: ");
    expect(said).toBe(
      `The database ${file} is damaged. The newest backup is ${backup}. Data written since that backup is not in the restored folder; the command keeps it in the folder aside-<time> in ${dataDir}. To restore it, stop every server on this folder and `,
    );
    execFileSync("sh", ["-c", command], { env: withMarketSignal(tempDir()) });
    const store = await openStore({ dataDir, clock });
    expect(await store.db.selectFrom("accounts").select("id").execute()).toEqual([{ id: "a" }]);
    await store.close();
  });

  it("can be moved aside with all files that depend on it when there is no backup", async () => {
    const { dataDir, file } = await closedStore();
    for (const name of ["first-key.txt", "audit-head", "master.key"])
      writeFileSync(join(dataDir, name), name);
    spoil(file, 0);
    const thrown = (await refusal(dataDir)) as Error;
    expect(thrown.message).toContain(`The database ${file} is damaged. There is no backup.`);
    writeFileSync(`${file}-wal`, "changes"); // As after a crash.
    execFileSync("sh", ["-c", thrown.message.split("run: ")[1] ?? ""]);
    const aside = `aside-${backupStamp(clock.now())}`;
    expect(readdirSync(dataDir).sort()).toEqual([aside, "master.key", "start.lock"]);
    expect(readdirSync(join(dataDir, aside)).sort()).toEqual([
      "audit-head",
      "first-key.txt",
      "market-signal.db",
      "market-signal.db-wal",
      "meters.db",
    ]);
    const { log, lines } = collectingLog();
    const store = await openStore({ dataDir, clock, log });
    expect(await store.db.selectFrom("accounts").select("id").execute()).toEqual([]);
    expect([store.health.fault(), lines]).toEqual([null, []]);
    await store.close();
  });

  it("is refused and not overwritten when it is not a database", async () => {
    const dataDir = tempDir();
    const file = join(dataDir, "market-signal.db");
    writeFileSync(file, "name,price\n".repeat(500));
    expect(await refusal(dataDir)).toBeInstanceOf(SetupError);
    expect(readFileSync(file, "utf8")).toBe("name,price\n".repeat(500));
  });
});

describe("a copy of the main file without its write-ahead log", () => {
  it("is refused when it is empty and the files beside it were used, with a command to start empty", async () => {
    const { dataDir, file } = await closedStore();
    writeFileSync(file, "");
    rmSync(checksumPath(file));
    const thrown = (await refusal(dataDir)) as Error;
    expect(thrown.message).toMatch(/is empty, but meters\.db beside it came from one that was not/);
    execFileSync("sh", ["-c", thrown.message.split("run: ")[1] ?? ""]);
    await (await openStore({ dataDir, clock })).close();
  });

  it("is refused when it has no key and no entry of the audit log that is there, until it is moved aside", async () => {
    const { dataDir, file } = await closedStore();
    writeFileSync(join(dataDir, "audit-head"), `3:${"a".repeat(64)}`);
    const thrown = (await refusal(dataDir)) as Error;
    expect(thrown.message).toContain(`The database ${file} is empty, but audit-head beside it`);
    execFileSync("sh", ["-c", thrown.message.split("run: ")[1] ?? ""]);
    await (await openStore({ dataDir, clock })).close();
  });

  it("is reported when it lacks the newest entries of the audit log, with a command that copies it whole", async () => {
    const original = join(tempDir(), "original");
    const store = await fileStore({ dataDir: original });
    await accessTo(store).access.createFirstKey();
    const audit = auditLog({ db: store.db, dataDir: original });
    const write = auditOf({ repository: audit, vault: auditVault, clock, market: "test" }).write;
    await write("a", "limits", {});
    await truncateWal(store.db);
    const dataDir = join(tempDir(), "it's a copy");
    mkdirSync(dataDir, { mode: 0o700 });
    copyFileSync(store.file, join(dataDir, "market-signal.db"));
    await write("a", "limits", {});
    await write("a", "limits", {});
    await store.close();
    copyFileSync(join(original, "audit-head"), join(dataDir, "audit-head"));

    const { log, lines } = collectingLog();
    const copy = await openStore({ dataDir, clock, log });
    expect(copy.health.fault()).toEqual({ kind: "incomplete", since: clock.now().toISOString() });
    expect(lines).toMatchObject([
      { event: "database_incomplete", fields: { message: /lacks entries 2 to 3 of the audit log/ } },
    ]);
    await copy.close();
    const [, command = ""] = String(lines[0]!.fields!.message).split("run: ");
    execFileSync("sh", ["-c", command.replace("<folder of the original>", original)]);
    const whole = await openStore({ dataDir, clock });
    expect(whole.health.fault()).toBeNull();
    await whole.close();
  });

  it("is refused when it has no key and the file of the first key is there", async () => {
    const { dataDir } = await closedStore();
    writeFileSync(join(dataDir, "first-key.txt"), "key\n");
    expect(await refusal(dataDir)).toBeInstanceOf(SetupError);
  });

  it("has the tables and the first key", async () => {
    const store = await fileStore();
    await accessTo(store).access.createFirstKey();
    const copy = join(tempDir(), "copy.db");
    copyFileSync(store.file, copy);
    const db = new Database(copy);
    expect(db.prepare("SELECT name FROM keys").pluck().all()).toEqual(["first agent"]);
    db.close();
  });
});

describe("damaged counters", () => {
  it("are replaced, which is logged", async () => {
    const { dataDir } = await closedStore();
    writeFileSync(join(dataDir, "meters.db"), "x".repeat(5_000));
    const { log, lines } = collectingLog();
    const store = await openStore({ dataDir, clock, log });
    expect(lines.map(({ event }) => event)).toEqual(["counters_reset"]);
    expect(store.counters.pragma("integrity_check", { simple: true })).toBe("ok");
    await store.close();
  });
});
