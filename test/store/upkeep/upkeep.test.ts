import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { openStore, type Store } from "../../../src/store/open-store.ts";
import { truncateWal } from "../../../src/store/vault/seals.ts";
import { collectingLog } from "../../support/context.ts";
import { overwritePages } from "../../support/damage.ts";
import { addAccount, fileStore, movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const DAY_MS = 86_400_000;
/** A moment after the file of the running test was made. */
const clockAhead = () => movingClock(new Date(Math.ceil(Date.now() / DAY_MS + 1) * DAY_MS));

describe("the daily backup", () => {
  it("is written once a day, and the newest seven are kept", async () => {
    const dataDir = join(tempDir(), "data");
    const clock = clockAhead();
    const { upkeep, backUp } = await fileStore({ dataDir, clock });
    const manual = backUp();
    const names: string[][] = [];
    for (let day = 0; day < 9; day++) {
      await upkeep.run();
      await upkeep.run();
      names.push(readdirSync(join(dataDir, "backups")).filter((name) => name.includes("daily")));
      clock.pass(DAY_MS);
    }
    expect(names.map(({ length }) => length)).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 7]);
    expect(names[8]![0]).toBe(names[2]![2]);
    expect(readdirSync(join(dataDir, "backups"))).toContain(manual.split("/").at(-1));
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
    expect(names.slice(1)).toEqual(future);
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
async function damage({ db, file }: Pick<Store, "db" | "file">): Promise<void> {
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
      /is damaged\. The newest backup is .*daily-.*\.db\. To restore it/,
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
