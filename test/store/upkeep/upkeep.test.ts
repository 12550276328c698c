import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { backupStatus } from "../../../src/store/backups/status.ts";
import { openStore, type SqliteStore } from "../../../src/store/open-store.ts";
import { truncateWal } from "../../../src/store/vault/seals.ts";
import { collectingLog } from "../../support/context.ts";
import { overwritePages } from "../../support/damage.ts";
import { addAccount, fileStore, movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const DAY_MS = 86_400_000;
/** A moment after the file of the running test was made. */
const clockAhead = () => movingClock(new Date(Math.ceil(Date.now() / DAY_MS + 1) * DAY_MS));

describe("the scheduled backup", () => {
  it("is written once a day, and the newest seven are kept", async () => {
    const dataDir = join(tempDir(), "data");
    const clock = clockAhead();
    const { upkeep, backUp } = await fileStore({ dataDir, clock });
    const manual = backUp();
    const names: string[][] = [];
    for (let day = 0; day < 9; day++) {
      await upkeep.run();
      await upkeep.run();
      names.push(readdirSync(join(dataDir, "backups")).filter((name) => name.includes("scheduled")));
      clock.pass(DAY_MS);
    }
    expect(names.map(({ length }) => length)).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 7]);
    expect(names[8]![0]).toBe(names[2]![2]);
    expect(readdirSync(join(dataDir, "backups"))).toContain(manual.split("/").at(-1));
  });

  it("follows the interval and the number of the settings, and none is written with off", async () => {
    const [dataDir, other] = [join(tempDir(), "data"), join(tempDir(), "data")];
    const clock = clockAhead();
    const HOUR_MS = DAY_MS / 24;
    const { upkeep } = await fileStore({ dataDir, clock, schedule: { everyMs: HOUR_MS, keep: 2 } });
    const off = await fileStore({ dataDir: other, clock, schedule: { everyMs: null, keep: 2 } });
    const counts: number[] = [];
    for (let half = 0; half < 6; half++) {
      await upkeep.run();
      counts.push(readdirSync(join(dataDir, "backups")).length);
      clock.pass(HOUR_MS / 2);
    }
    expect(counts).toEqual([1, 1, 2, 2, 2, 2]);
    await off.upkeep.run();
    expect(readdirSync(other)).not.toContain("backups");
  });

  it("is passed to the program of the settings, and its failure is logged", async () => {
    const dataDir = join(tempDir(), "data");
    const { log, lines } = collectingLog();
    const program = join(tempDir(), "copy");
    writeFileSync(program, "#!/bin/sh\nexit 4\n", { mode: 0o700 });
    const { upkeep } = await fileStore({ dataDir, clock: clockAhead(), log, backupHook: program });
    await upkeep.run();
    expect(lines.map(({ event, fields }) => [event, fields?.reason])).toEqual([
      ["database_backed_up", undefined],
      ["backup_hook_failed", "it ended with code 4"],
    ]);
  });

  it("that cannot be written is logged as an error with the remedy, and reported until the next one", async () => {
    const dataDir = join(tempDir(), "data");
    const folder = join(dataDir, "backups");
    const { log, lines } = collectingLog();
    const clock = clockAhead();
    const { upkeep } = await fileStore({ dataDir, clock, log });
    writeFileSync(folder, "");
    await upkeep.run();
    const reason = `Backups cannot be written: ${folder} is a file; run: mv '${folder}' '${folder}.old'`;
    expect(lines).toEqual([{ level: "error", event: "backup_failed", fields: { message: reason } }]);
    const failure = { at: clock.now().toISOString(), reason };
    expect(backupStatus(dataDir, clock.now())).toEqual({ newest: null, hook: null, fault: reason, failure });
    execFileSync("sh", ["-c", reason.split("run: ")[1] ?? ""]);
    expect(backupStatus(dataDir, clock.now())).toEqual({ newest: null, hook: null, fault: null, failure });
    clock.pass(DAY_MS);
    await upkeep.run();
    expect(backupStatus(dataDir, clock.now())).toMatchObject({ newest: { age_ms: 0 }, failure: null });
  });

  it("is kept beside backups of the future, made while the clock was ahead", async () => {
    const dataDir = join(tempDir(), "data");
    const { upkeep } = await fileStore({ dataDir, clock: clockAhead() });
    const folder = join(dataDir, "backups");
    mkdirSync(folder);
    const future = Array.from(
      { length: 7 },
      (_, day) => `market-signal-daily-2999010${day + 1}T000000000Z.db`,
    );
    for (const name of future) writeFileSync(join(folder, name), "");
    await upkeep.run();
    const names = readdirSync(folder).sort();
    expect(names).toHaveLength(8);
    expect(names.slice(0, 7)).toEqual(future);
  });

  it("is not due on the first day of a database", async () => {
    const dataDir = join(tempDir(), "data");
    const { upkeep } = await fileStore({ dataDir, clock: { now: () => new Date() } });
    await upkeep.run();
    expect(readdirSync(dataDir)).not.toContain("backups");
  });

  it("deletes a partial backup that a process left an hour ago, and no younger one", async () => {
    const dataDir = join(tempDir(), "data");
    const clock = clockAhead();
    const { upkeep } = await fileStore({ dataDir, clock });
    const folder = join(dataDir, "backups");
    mkdirSync(folder);
    for (const [name, age] of [
      ["old.db.partial", 3_700],
      ["new.db.partial", 60],
    ] as const) {
      writeFileSync(join(folder, name), "x");
      const at = clock.now().getTime() / 1_000 - age;
      utimesSync(join(folder, name), at, at);
    }
    await upkeep.run();
    const partial = readdirSync(folder).filter((name) => name.endsWith(".partial"));
    expect(partial).toEqual(["new.db.partial"]);
  });
});

/** Overwrites two pages of an open database that are no longer in the write-ahead log. */
async function damage({ db, file }: Pick<SqliteStore, "db" | "file">): Promise<void> {
  await truncateWal(db);
  overwritePages(file, [1, 2]);
}

describe("a database damaged while it is open", () => {
  it("is found by the check, gets no backup and no checksum, and the next start refuses it", async () => {
    const dataDir = join(tempDir(), "data");
    const clock = clockAhead();
    const { log, lines } = collectingLog();
    const store = await openStore({ dataDir, clock, log });
    await addAccount(store.db);
    await store.upkeep.run();
    await damage(store);
    clock.pass(DAY_MS);
    await store.upkeep.run();
    expect(store.health.fault()).toMatchObject({ kind: "damaged" });
    expect(lines.map(({ event }) => event)).toEqual(["database_backed_up", "database_damaged"]);
    expect(readdirSync(join(dataDir, "backups"))).toHaveLength(1);
    await store.close();
    expect(readdirSync(dataDir)).not.toContain("market-signal.db.sha256");
    const refused = await openStore({ dataDir, clock }).catch((cause: unknown) => cause);
    expect(refused).toBeInstanceOf(SetupError);
    expect((refused as Error).message).toMatch(
      /is damaged\. The newest backup is .*scheduled-.*\.db\. .* To restore it/,
    );
  });

  it("gets no checksum at shutdown even if nothing met the damage", async () => {
    const dataDir = join(tempDir(), "data");
    const { log, lines } = collectingLog();
    const store = await openStore({ dataDir, clock: clockAhead(), log });
    await addAccount(store.db);
    await damage(store);
    await store.close();
    expect(lines.map(({ event }) => event)).toEqual(["database_damaged"]);
    expect(await openStore({ dataDir, clock: clockAhead() }).catch((cause: unknown) => cause)).toBeInstanceOf(
      SetupError,
    );
  });
});
