import { chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { version } from "../../src/lib/version.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { compile } from "../support/compiled.ts";
import { runProgram, start } from "../support/program.ts";
import { tempDir } from "../support/temp-dir.ts";

const MINUTES = { timeout: 180_000 };
const built = await compile();
afterAll(() => built.remove());

const environment = (dataDir: string) => ({
  HOME: dataDir,
  DATA_DIR: dataDir,
  PORT: "0",
  LOG_LEVEL: "error",
});
const run = (dataDir: string, ...words: readonly string[]) =>
  runProgram([...built.product, ...words], environment(dataDir));

describe("a data folder of another user", () => {
  it.skipIf(process.getuid?.() !== 0)("is left untouched by every command", MINUTES, async () => {
    const dataDir = join(tempDir(), "data");
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, 64_321, 64_321);
    const commands = [
      "serve",
      "quote AAPL",
      "backup",
      "restore x.db",
      "doctor",
      "vault rotate",
      "audit verify",
      "accounts list",
      "keys list",
      "limits show",
      "trades list",
      "usage",
      "config list",
      "config set PORT 9000",
      "data import x.csv",
      "engine status",
      "stdio",
    ];
    const results = await Promise.all(
      commands.map(async (command) => {
        const { code, err } = await run(dataDir, ...command.split(" "));
        const typed = / env DATA_DIR='\S+' node \S+main\.js ([^`]+)`/.exec(err)?.[1];
        return { code, typed, isRefused: err.includes("belongs to another user, 64321; run the command as") };
      }),
    );
    expect(results).toEqual(commands.map((typed) => ({ code: 2, typed, isRefused: true })));
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe("a data folder that does not exist", () => {
  it("is not created by a command that only reads", MINUTES, async () => {
    const dataDir = join(tempDir(), "none");
    const sentence = `There is no data folder at ${dataDir}; set DATA_DIR to that of the server, or start the server`;
    const commands = [
      "keys list",
      "accounts list",
      "audit verify",
      "vault rotate",
      "usage",
      "limits show",
      "trades list",
      "engine status",
    ];
    const results = await Promise.all(commands.map((command) => run(dataDir, ...command.split(" "))));
    expect(results).toEqual(commands.map(() => ({ code: 2, out: "", err: `market-signal: ${sentence}\n` })));
    const doctor = await run(dataDir, "doctor", "--json");
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain(sentence);
    const backup = await run(dataDir, "backup");
    expect(backup).toMatchObject({
      code: 2,
      err: expect.stringContaining("so nothing to back up; set DATA_DIR"),
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  it("is created by the first key and by a tool", MINUTES, async () => {
    const [first, second] = [join(tempDir(), "data"), join(tempDir(), "data")];
    const results = await Promise.all([run(first, "keys", "create"), run(second, "quote", "AAPL")]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect([first, second].map((dataDir) => existsSync(dataDir))).toEqual([true, true]);
  });
});

describe("a data folder of a running server", () => {
  it("is not migrated by a command of a newer version", MINUTES, async () => {
    const dataDir = join(tempDir(), "data");
    const server = start([...built.product, "serve"], environment(dataDir));
    const [, url] = await server.says(/docs {5}(http:\/\/127\.0\.0\.1:\d+)\/docs/);
    const db = new Database(join(dataDir, "market-signal.db"));
    db.exec("DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)");
    db.close();
    expect(await run(dataDir, "keys", "list")).toEqual({
      code: 2,
      out: "",
      err: `market-signal: Version ${version()} of the server runs on this folder (${url}), and this version would change its data; stop it, then start this version\n`,
    });
  });
});

describe("a backup that cannot be read", () => {
  it("is named in one sentence", MINUTES, async () => {
    const folder = tempDir();
    expect(await run(join(folder, "data"), "restore", folder)).toEqual({
      code: 2,
      out: "",
      err: `market-signal: The backup ${folder} cannot be read: it is a folder; name a file in it\n`,
    });
  });
});
