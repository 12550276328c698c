import { expect, it } from "vitest";
import type { RestoreReport } from "../../../src/domain/backups/backups.ts";
import { testCli } from "./test-host.ts";

const sha256 = "a".repeat(64);
const live = {
  account: "ada",
  market: "live",
  connection_id: "cn_1",
  broker: "alpaca",
  account_type: "live",
};
const REPORT: RestoreReport = {
  dry_run: false,
  file: "/work/backup.db",
  bytes: 1_000_000,
  has_manifest: true,
  manifest: {
    format: 1,
    version: "9.9.9",
    data_version: "0008-plain-names",
    created_at: "2026-01-15T15:00:00.000Z",
    schema_sha256: sha256,
    tables: { keys: { rows: 2, sha256 } },
    files: [],
    keys: [],
  },
  data_dir: "/data",
  previous_content: "/data/aside-1",
  moved: ["market-signal.db"],
  refusals: [],
  master_key_id: "0123456789abcdef",
  master_key_source: "data folder",
  unusable_connections: [],
  agents: [{ account: "ada", agent: "trend", agent_id: "ag_1" }],
  deliveries: [
    { account: "ada", delivery_id: "dl_1", target: "example.com", created_at: "2026-01-15T14:00:00.000Z" },
  ],
  live_connections: [live],
  audit_seq: 7,
};

/** A command line whose restore returns the report, and the options of its calls. */
function restoreCli(report: RestoreReport) {
  const calls: unknown[] = [];
  const restore = async (options: unknown) => {
    calls.push(options);
    return report;
  };
  return { ...testCli({ host: { restore, folder: "/work" } }), calls };
}

it("restore names what was stopped, not sent and has to be reconciled", async () => {
  const { run, calls } = restoreCli(REPORT);
  expect(await run("restore", "--replace", "backup.db")).toEqual({
    code: 0,
    err: "",
    out: [
      "Restored /work/backup.db to /data.",
      "Backup: written at 2026-01-15T15:00:00.000Z by version 9.9.9.",
      "Database: data version 0008-plain-names, 2 rows in 1 of 1 tables.",
      "Files: none.",
      "Master key id: 0123456789abcdef, from the data folder.",
      "Agents that were stopped; start again what you need:",
      "  trend ag_1 of ada",
      "Alerts that were due and are not sent:",
      "  dl_1 of ada at 2026-01-15T14:00:00.000Z to example.com",
      "Live connections that accept no order until their orders were reconciled with the broker:",
      "  cn_1, alpaca live of ada",
      "Entry 7 of the audit log names this backup.",
      "The previous content is in /data/aside-1; delete it when it is not needed any more.",
      "Check with `market-signal doctor`, then start the server.",
      "",
    ].join("\n"),
  });
  expect(calls).toEqual([{ file: "/work/backup.db", replace: true, dryRun: false }]);
});

it("restore without the master key lists the lost connections and where the key belongs", async () => {
  const lost = { ...REPORT, master_key_source: null, unusable_connections: [live], audit_seq: null } as const;
  const { out } = await restoreCli(lost).run("restore", "backup.db");
  expect(out).toContain(
    "Master key id: 0123456789abcdef is needed and missing. Copy it to master.key in the data folder",
  );
  expect(out).toContain(
    "Connections that cannot be used without the master key 0123456789abcdef:\n  cn_1, alpaca live of ada\n",
  );
  expect(out).toContain("The audit log names this backup once the server starts with the master key.");
});

it("restore --dry-run says that nothing was changed", async () => {
  const { run, calls } = restoreCli({ ...REPORT, dry_run: true, previous_content: null, audit_seq: null });
  const { out } = await run("restore", "--dry-run", "/x/backup.db");
  expect(out).toContain("The backup /work/backup.db is intact, 1.0 MB; nothing was changed.");
  expect(out).toContain("Agents that would be stopped:");
  expect(out).not.toContain("audit log names");
  expect(calls).toEqual([{ file: "/x/backup.db", replace: false, dryRun: true }]);
});

const PLANNED = { ...REPORT, dry_run: true, previous_content: null, audit_seq: null };

it.each([
  [{ moved: [] }, 0, "Restoring it would fill the data folder /data, which is empty."],
  [
    { moved: ["market-signal.db", "meters.db"] },
    0,
    "Restoring it would move the content of /data to a new folder aside-<time> in it: market-signal.db, meters.db.",
  ],
  [
    { moved: [], refusals: ["DATA_DIR /data is not empty", "A server is using /data"] },
    2,
    "Restoring it would be refused: DATA_DIR /data is not empty.\nRestoring it would be refused: A server is using /data.",
  ],
])("restore --dry-run with %j exits with %i and says what a restore would do", async (plan, exit, end) => {
  const { code, out } = await restoreCli({ ...PLANNED, ...plan }).run("restore", "--dry-run", "backup.db");
  expect(code).toBe(exit);
  expect(out.endsWith(`${end}\n`)).toBe(true);
});
