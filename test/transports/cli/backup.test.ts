import { expect, it } from "vitest";
import type { BackupReport } from "../../../src/domain/backups/backups.ts";
import { testCli } from "./test-host.ts";

const sha256 = "a".repeat(64);
const REPORT: BackupReport = {
  file: "/data/backups/market-signal-manual-20260115T150000000Z.db",
  bytes: 1_234_567,
  manifest: {
    format: 1,
    version: "9.9.9",
    data_version: "0008-plain-names",
    created_at: "2026-01-15T15:00:00.000Z",
    schema_sha256: sha256,
    tables: { keys: { rows: 2, sha256 }, agents: { rows: 0, sha256 } },
    files: [{ name: "audit-head", bytes: 100, sha256 }],
    keys: [],
  },
  excluded_key_files: ["master.key"],
  hook: null,
};

/** A command line whose backup returns the report, and the options of its calls. */
function backupCli(report: BackupReport) {
  const calls: unknown[] = [];
  const backUp = async (options: unknown) => {
    calls.push(options);
    return report;
  };
  return { ...testCli({ host: { backUp } }), calls };
}

it("backup names what the file contains and what it does not", async () => {
  const { run, calls } = backupCli(REPORT);
  expect(await run("backup")).toEqual({
    code: 0,
    err: "",
    out: [
      `Wrote and verified ${REPORT.file}, 1.2 MB.`,
      "Database: data version 0008-plain-names, 2 rows in 1 of 2 tables.",
      "Files: audit-head.",
      "Not in it: master.key. Copy it to another place, or add --with-keys.",
      `To list its contents: \`market-signal restore --dry-run ${REPORT.file}\``,
      "",
    ].join("\n"),
  });
  expect(calls).toEqual([{ out: undefined, withKeys: false }]);
});

it("backup --with-keys --out passes both on, and says that the passphrase is needed", async () => {
  const report = {
    ...REPORT,
    excluded_key_files: [],
    manifest: { ...REPORT.manifest, keys: ["master.key"] },
  };
  const { run, calls } = backupCli(report);
  const { out } = await run("backup", "--with-keys", "--out", "x.db");
  expect(out).toContain("master.key is in it, encrypted with the passphrase");
  expect(calls).toEqual([{ out: "x.db", withKeys: true }]);
  expect(JSON.parse((await run("backup", "--json")).out)).toEqual(report);
});

it("backup ends with 1 if the program of BACKUP_HOOK failed", async () => {
  const hook = { at: "2026-01-15T15:00:00.000Z", backup: REPORT.file, failure: "it ended with code 3" };
  const { run } = testCli({ host: { backUp: async () => ({ ...REPORT, hook }) } });
  const { code, out } = await run("backup");
  expect([code, out.includes("BACKUP_HOOK failed: it ended with code 3")]).toEqual([1, true]);
});

it("backup --with-keys says first that there is no master key yet", async () => {
  const { run } = backupCli({ ...REPORT, excluded_key_files: [] });
  const { out } = await run("backup", "--with-keys");
  expect(out.split("\n")[0]).toBe(
    `Wrote and verified ${REPORT.file}, 1.2 MB, without keys: there is no master key yet.`,
  );
  expect(out).not.toContain("There is no master key yet, so nothing is left out.");
});
