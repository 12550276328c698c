import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDataVersion } from "../../../src/store/data-version.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { checkInstallation } from "../../../src/transports/cli/doctor.ts";
import { stoppedClock } from "../../support/context.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { testCli } from "./test-host.ts";

const clock = stoppedClock(new Date("2026-01-15T15:00:00.000Z"));
const NAMES = Object.keys(MIGRATIONS);
const LAST = NAMES.at(-1)!;
const BEFORE_LAST = NAMES.at(-2)!;
const noChange = { up: async () => {} };

/** Creates a data folder with these migrations. */
async function folderOf(migrations: typeof MIGRATIONS): Promise<string> {
  const dataDir = join(tempDir(), "data");
  await (await openStore({ dataDir, clock, migrations })).close();
  return dataDir;
}

/** Runs the doctor of a version with these migrations; returns its findings and how often it opened the folder. */
async function examine(dataDir: string, migrations = MIGRATIONS) {
  const { host, counts } = testCli({
    host: { dataVersion: async () => readDataVersion(dataDir, migrations) },
  });
  return { findings: await checkInstallation(host), opened: counts.opened };
}

const find = ({ findings }: Awaited<ReturnType<typeof examine>>, name: string) =>
  findings.find((finding) => finding.name === name);

describe("the doctor", () => {
  it("states the version of the program and of the data", async () => {
    const result = await examine(await folderOf(MIGRATIONS));
    expect(find(result, "version")).toEqual({ name: "version", state: "ok", detail: "9.9.9" });
    expect(find(result, "data version")).toEqual({ name: "data version", state: "ok", detail: LAST });
    expect(result.opened).toBe(1);
  });

  it("of a newer version names the changes to come and makes none", async () => {
    const { [LAST]: _, ...older } = MIGRATIONS;
    const dataDir = await folderOf(older);
    const file = join(dataDir, "market-signal.db");
    const before = readFileSync(file);
    const result = await examine(dataDir, { ...MIGRATIONS, "9000-notes": noChange });
    expect(result.findings.map(({ name, state }) => [name, state])).toEqual([
      ["node", "ok"],
      ["version", "ok"],
      ["data version", "note"],
      ["installation", "ok"],
    ]);
    expect(find(result, "data version")!.detail).toBe(
      `${BEFORE_LAST}; version 9.9.9 applies ${LAST}, 9000-notes at its next start, after a backup to the folder backups. Older versions do not run with the data after that`,
    );
    expect(result.opened).toBe(0);
    expect(readFileSync(file).equals(before)).toBe(true);
    const reopened = await openStore({ dataDir, clock, migrations: older }); // the older version still runs with it
    await reopened.close();
  });

  it("of an older version says that the data are newer", async () => {
    const result = await examine(await folderOf({ ...MIGRATIONS, "9000-notes": noChange }));
    expect(find(result, "data version")).toEqual({
      name: "data version",
      state: "fail",
      detail:
        "9000-notes, written by a newer version of Market Signal; run that version, or restore a backup made before 9000-notes",
    });
    expect(result.opened).toBe(0);
  });
});

describe("readDataVersion", () => {
  it("returns null for a folder without a database", () => {
    expect(readDataVersion(tempDir())).toBeNull();
  });
});
