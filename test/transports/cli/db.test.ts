import { expect, it } from "vitest";
import type { CopyReport, DatabaseCheck } from "../../../src/domain/backups/database-copy.ts";
import type { DatabaseAdmin } from "../../../src/transports/cli/host-database.ts";
import { testCli } from "./test-host.ts";

const sha256 = "ab".repeat(32);
const URL = "postgres://market_signal@db.example.com/market_signal";
const EXCLUSIVE_USE =
  "No server or other command may use either database during the copy. If one does, the copy is refused; one that is started meanwhile waits.";

function dbCli(admin: Partial<DatabaseAdmin>) {
  const missing = () => Promise.reject(new Error("not expected"));
  const { run } = testCli({
    host: { database: async () => ({ migrate: missing, copy: missing, check: missing, ...admin }) },
  });
  return {
    async run(...words: string[]) {
      const { code, err, out } = await run(...words);
      return { code, err, out: out.trimEnd().split("\n") };
    },
  };
}

const COPIED: CopyReport = {
  from: "/data/market-signal.db",
  to: "db.example.com/market_signal",
  copied: true,
  tables: [
    { table: "signals", rows: 75, sha256 },
    { table: "accounts", rows: 2, sha256 },
    { table: "agents", rows: 0, sha256 },
  ],
  sequences: [{ table: "deliveries", last: 9, highest: 7 }],
  counters: 1,
  unstorable: [],
  seconds: 1.5,
};

it("db copy says first that nothing else may use the databases, then what was copied and what to do next", async () => {
  const { run } = dbCli({ copy: async ({ to }) => ({ ...COPIED, to: to.replace(/.*@/, "") }) });
  const { code, err, out } = await run("db", "copy", "--to", URL);
  expect([code, err]).toEqual([0, `${EXCLUSIVE_USE}\n`]);
  expect(out).toEqual([
    "table     rows  sha256",
    "accounts     2  abababababababab",
    "signals     75  abababababababab",
    "Copied 77 rows of 3 tables from /data/market-signal.db to db.example.com/market_signal in 1.5 s; every table is equal by count and hash.",
    "Row numbers continue: deliveries after 9. Daily quotas copied: 1.",
    "Now set DATABASE_URL to that address for the server and its commands, and start it.",
  ]);
});

it("db copy lists the values that cannot be stored, and ends with code 1", async () => {
  const unstorable = [
    {
      table: "watchlists",
      key: { account: "ada", name: "a\0b" },
      column: "name",
      reason: "the text has the character U+0000",
    },
  ];
  const { run } = dbCli({ copy: async () => ({ ...COPIED, copied: false, tables: [], unstorable }) });
  const { code, out } = await run("db", "copy", "--to", URL);
  expect(code).toBe(1);
  expect(out).toEqual([
    "Nothing was copied: db.example.com/market_signal cannot store these values of /data/market-signal.db.",
    '  watchlists {"account":"ada","name":"a\\u0000b"}: name: the text has the character U+0000',
    "Change or delete these rows in the source, then run the command again.",
  ]);
});

const CHECKED: DatabaseCheck = {
  database: "db.example.com/market_signal",
  ok: true,
  migrations: { applied: ["0001-initial"], missing: [], newer: [] },
  sequences_behind: [],
  damage: null,
  audit: {
    ok: true,
    entries: 3,
    verified: 3,
    head: { seq: 3, mac: sha256 },
    faults: [],
    fault_count: 0,
    read_from: 0,
  },
  tables: [{ table: "signals", rows: 75, sha256 }],
  against: null,
};

it("db check names the tables that differ, missing migrations and row numbers that would be given twice", async () => {
  const { run: runGood } = dbCli({ check: async () => CHECKED });
  expect(await runGood("db", "check")).toMatchObject({
    code: 0,
    out: [
      "table    rows  sha256",
      "signals    75  abababababababab",
      "db.example.com/market_signal: 75 rows in 1 tables.",
      "Audit log: 3 entries, all unchanged.",
      "ok",
    ],
  });
  const bad: DatabaseCheck = {
    ...CHECKED,
    ok: false,
    migrations: { applied: [], missing: ["0016-replicas"], newer: ["0099-next"] },
    sequences_behind: [{ table: "deliveries", last: 3, highest: 7 }],
    audit: null,
    against: {
      database: "/data/market-signal.db",
      tables: [{ table: "signals", equal: false, here: CHECKED.tables[0]!, there: null }],
    },
  };
  const { run } = dbCli({ check: async () => bad });
  expect(await run("db", "check", "--against", "sqlite")).toMatchObject({
    code: 1,
    out: [
      "db.example.com/market_signal: 75 rows in 1 tables.",
      "Missing migrations: 0016-replicas; run `market-signal db migrate`.",
      "Migrated by a newer version: 0099-next; update this program.",
      "Row numbers of deliveries: the next is 4, but a row already has 7.",
      "Audit log: not checked.",
      "/data/market-signal.db: 1 of 1 tables differ.",
      "table    here              there",
      "signals  75 rows abababab  no such table",
      "not ok",
    ],
  });
});

it("db migrate names the migrations that it applied", async () => {
  const report = { database: "db.example.com/signals", data_version: "0016-replicas" };
  const { run } = dbCli({
    migrate: async () => ({ ...report, applied: ["0015-bar-answers", "0016-replicas"] }),
  });
  expect((await run("db", "migrate")).out).toEqual([
    "Applied 0015-bar-answers, 0016-replicas to db.example.com/signals.",
  ]);
  const { run: runAgain } = dbCli({ migrate: async () => ({ ...report, applied: [] }) });
  expect((await runAgain("db", "migrate")).out).toEqual([
    "db.example.com/signals has all migrations, up to 0016-replicas.",
  ]);
});
