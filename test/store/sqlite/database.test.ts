import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { openBetterSqlite } from "../../../src/store/sqlite/better-sqlite.ts";
import { type OpenConnection, SqliteError } from "../../../src/store/sqlite/connection.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { openNodeSqlite } from "../../../src/store/sqlite/node-sqlite.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** The drivers that this installation has; at least one. */
const DRIVERS: readonly [string, OpenConnection][] = [
  ["node:sqlite", openNodeSqlite],
  ["better-sqlite3", installed],
].flatMap(([name, driver]) => {
  const open = (driver as () => OpenConnection | null)();
  return open === null ? [] : [[name as string, open] as [string, OpenConnection]];
});

function installed(): OpenConnection | null {
  try {
    return openBetterSqlite();
  } catch (cause) {
    if (cause instanceof SetupError) return null;
    throw cause;
  }
}

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (cause) {
    return cause instanceof SqliteError ? cause.code : cause;
  }
};

it("has a driver on every supported version of Node", () => {
  expect(DRIVERS.length).toBeGreaterThan(0);
});

describe.each(DRIVERS)("a database on %s", (_, driver) => {
  const open = (file = ":memory:", options = {}): Database => {
    const db = new Database(file, { driver, ...options });
    onTestFinished(() => db.close());
    return db;
  };
  const withTable = (): Database => {
    const db = open();
    db.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT UNIQUE, n REAL)");
    return db;
  };

  it("returns rows, single columns and the number of changes", () => {
    const db = withTable();
    const insert = db.prepare("INSERT INTO t (word, n) VALUES (?, ?)");
    expect(insert.run("one", 1.5)).toMatchObject({ changes: 1, lastInsertRowid: 1 });
    expect(insert.run("two", null)).toMatchObject({ changes: 1, lastInsertRowid: 2 });
    const rows = db.prepare("SELECT word, n FROM t ORDER BY id");
    expect(rows.all()).toEqual([
      { word: "one", n: 1.5 },
      { word: "two", n: null },
    ]);
    expect([...rows.iterate()].map(({ word }) => word)).toEqual(["one", "two"]);
    expect(db.prepare("SELECT word FROM t WHERE id = @id").get({ id: 2 })).toEqual({ word: "two" });
    expect(db.prepare("SELECT word FROM t WHERE id = ?").get(3)).toBeUndefined();
    expect(db.prepare("SELECT word FROM t ORDER BY id").pluck().all()).toEqual(["one", "two"]);
    expect(db.prepare("SELECT count(*) FROM t").pluck().get()).toBe(2);
    expect(db.prepare("SELECT word FROM t WHERE id = 3").pluck().get()).toBeUndefined();
  });

  it("keeps whole numbers beyond 32 bits and characters beyond 16 bits", () => {
    const db = withTable();
    const values = [Number.MAX_SAFE_INTEGER, "a 😀"];
    db.prepare("INSERT INTO t (id, word) VALUES (?, ?)").run(...values);
    expect(db.prepare("SELECT id, word, typeof(id) AS type FROM t").get()).toEqual({
      id: values[0],
      word: values[1],
      type: "integer",
    });
  });

  it.each([
    ["SELECT 1", true, true],
    ["  select 1", true, true],
    ["WITH a AS (SELECT 1) SELECT * FROM a", true, true],
    ["WITH a AS (SELECT 'x') INSERT INTO t (word) SELECT * FROM a", false, false],
    ["INSERT INTO t (word) VALUES ('a')", false, false],
    ["INSERT INTO t (word) VALUES ('a') RETURNING id", true, false],
    ["UPDATE t SET n = 1", false, false],
    ["DELETE FROM t", false, false],
    ["CREATE TABLE u (id)", false, false],
  ])("knows what %s returns and changes", (sql, reader, readonly) => {
    expect(withTable().prepare(sql)).toMatchObject({ reader, readonly });
  });

  it("commits a transaction that returns, and rolls back one that throws", () => {
    const db = withTable();
    const add = (word: string) => db.prepare("INSERT INTO t (word) VALUES (?)").run(word);
    expect(db.immediate(() => add("a").changes)).toBe(1);
    const failing = () =>
      db.immediate(() => {
        add("b");
        throw new Error("stop");
      });
    expect(failing).toThrow("stop");
    expect(db.inTransaction).toBe(false);
    expect(db.prepare("SELECT word FROM t").pluck().all()).toEqual(["a"]);
  });

  it("reads and sets pragmas", () => {
    const db = open();
    expect(db.pragma("user_version", { simple: true })).toBe(0);
    db.pragma("user_version = 7");
    expect(db.pragma("user_version")).toEqual([{ user_version: 7 }]);
    expect(db.pragma("foreign_keys", { simple: true })).toBe(1);
  });

  it("names the result code of an error", () => {
    const db = withTable();
    const insert = db.prepare("INSERT INTO t (word) VALUES (?)");
    insert.run("a");
    expect(codeOf(() => insert.run("a"))).toMatch(/^SQLITE_CONSTRAINT_/);
    expect(codeOf(() => db.prepare("SELECT 1 FROM nowhere"))).toBe("SQLITE_ERROR");
    expect(codeOf(() => db.exec("no statement"))).toBe("SQLITE_ERROR");
    expect(codeOf(() => open(import.meta.filename ?? "vitest.config.ts").pragma("user_version"))).toBe(
      "SQLITE_NOTADB",
    );
  });

  it("stores an undefined value as null, and refuses a boolean", () => {
    const insert = withTable().prepare("INSERT INTO t (word) VALUES (?) RETURNING word");
    expect(insert.get(undefined)).toEqual({ word: null });
    expect(() => insert.get(true)).toThrow(TypeError);
  });

  it("is locked while another connection writes, and refuses writes where it only reads", () => {
    const file = join(tempDir(), "a.db");
    const first = open(file, { timeout: 0 });
    first.exec("CREATE TABLE t (id)");
    first.exec("BEGIN IMMEDIATE");
    const second = open(file, { timeout: 0 });
    expect(codeOf(() => second.exec("BEGIN IMMEDIATE"))).toBe("SQLITE_BUSY");
    first.exec("COMMIT");
    const reader = open(file, { readonly: true });
    expect(codeOf(() => reader.exec("INSERT INTO t VALUES (1)"))).toBe("SQLITE_READONLY");
  });

  it("leaves no write-ahead log when the last connection closes, even with open statements", () => {
    const file = join(tempDir(), "a.db");
    const db = open(file);
    db.pragma("journal_mode = WAL");
    db.exec("CREATE TABLE t (id)");
    db.prepare("SELECT * FROM t").all();
    db.close();
    db.close();
    expect(db.open).toBe(false);
    expect([`${file}-wal`, `${file}-shm`].filter(existsSync)).toEqual([]);
  });
});

describe("the package better-sqlite3", () => {
  it("that was built for another Node is named with its mend", () => {
    const file = join(tempDir(), "better_sqlite3.node");
    writeFileSync(file, "built for another system");
    const load = () => {
      process.dlopen({ exports: {} }, file);
      throw new Error("loaded");
    };
    const { node } = process.versions;
    expect(() => openBetterSqlite(load)).toThrow(
      new SetupError(
        `the package better-sqlite3 was built for another version of Node or another system than this one (Node ${node} on ${process.platform} ${process.arch}). Run \`npm rebuild better-sqlite3\` with this Node in the folder of the program, or start the program with the Node that installed it`,
      ),
    );
  });

  it("that is not installed is named with a Node that needs no package", () => {
    const load = () => createRequire(import.meta.url)("./better-sqlite3-that-is-not-installed");
    expect(() => openBetterSqlite(load)).toThrow(
      new SetupError(
        "Node before 22.16 has no complete SQLite of its own, and the package better-sqlite3 could not be installed. Use Node 22.16 or later, or install a C++ toolchain (python3, make, g++) and run npm ci again; where it cannot download Node's headers, npm_config_nodedir=/usr npm ci uses those of the machine",
      ),
    );
  });
});
