import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openStore } from "../src/store/open-store.ts";
import { Database } from "../src/store/sqlite/database.ts";
import { compile } from "./support/compiled.ts";
import { stoppedClock } from "./support/context.ts";
import { processState, runProgram, start } from "./support/program.ts";
import { tempDir } from "./support/temp-dir.ts";

const KEY = /ms_live_[0-9A-Za-z]{38}/;
const MINUTES = { timeout: 180_000 };
const built = compile();
const program = built.product;
afterAll(() => built.remove());

/** Settings of a server on a new data folder and a free port. */
const settings = (dir = tempDir()) => ({
  HOME: dir,
  DATA_DIR: join(dir, "data"),
  PORT: "0",
  LOG_LEVEL: "error",
});

const PTY = "/usr/bin/script";
const TERMINAL = { TERM: "xterm", SHELL: "/bin/sh" };
/** The program on a pseudo-terminal. */
const onTerminal = (...argv: readonly string[]): readonly string[] => {
  const line = [...program, ...argv].map((word) => `'${word}'`).join(" ");
  return [PTY, "-qec", `exec ${line}`, "/dev/null"];
};

const quotaWith = async (url: string, key: string): Promise<number> => {
  const path = `${url}/api/v1/quota`;
  return (await fetch(path, { headers: { authorization: `Bearer ${key}` } })).status;
};

describe("serve", () => {
  it(
    "writes the first key to a file, accepts keys created while running, and exits with 0 on SIGTERM",
    MINUTES,
    async () => {
      const env = settings();
      const keyFile = join(env.DATA_DIR, "first-key.txt");
      const server = start([...program, "serve"], env);
      const [, url, port] = (await server.says(/docs {5}(http:\/\/127\.0\.0\.1:(\d+))\/docs/)) as unknown as [
        string,
        string,
        string,
      ];
      expect(server.seen.out).toContain(`Your key is in ${keyFile}, readable only by you.`);
      expect(server.seen.out).toContain("SAMPLE (simulated)");
      expect(server.seen.out + server.seen.err).not.toMatch(KEY);
      expect(statSync(keyFile).mode & 0o777).toBe(0o600);
      const first = readFileSync(keyFile, "utf8").trim();
      expect(await quotaWith(url, first)).toBe(200);
      const { servers } = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown };
      expect(servers).toEqual([{ url }]);

      const [created, portTaken] = await Promise.all([
        runProgram([...program, "keys", "create", "--plan", "pro", "--json"], env),
        runProgram([...program, "serve"], { ...env, PORT: port }),
      ]);
      expect(created).toMatchObject({ code: 0, err: "" });
      const { key, id } = JSON.parse(created.out);
      expect(await quotaWith(url, key)).toBe(200);
      expect(portTaken).toEqual({
        code: 2,
        out: "",
        err: `market-signal: 127.0.0.1:${port} is in use; set PORT to another one\n`,
      });

      expect(await runProgram([...program, "keys", "revoke", id], env)).toEqual({
        code: 0,
        out: `Revoked ${id}.\n`,
        err: "",
      });
      await sleep(1_000);
      expect(await quotaWith(url, key)).toBe(401);

      const stream = await fetch(`${url}/api/mcp/sse`, { headers: { authorization: `Bearer ${first}` } });
      expect(stream.status).toBe(200);
      server.child.kill("SIGTERM");
      expect(await server.ended).toBe(0);
      await stream.body?.cancel().catch(() => {});

      const restarted = start([...program, "serve"], env);
      await restarted.says(/Your key is in .*first-key\.txt, readable only by you\.[\s\S]*\/docs/);
      expect(readFileSync(keyFile, "utf8").trim()).toBe(first);
      restarted.child.kill("SIGINT");
      expect(await restarted.ended).toBe(0);
      expect(restarted.seen.out + restarted.seen.err).not.toMatch(KEY);
    },
  );

  it("exits with 2 and one line if DATA_DIR is a file", MINUTES, async () => {
    const env = settings();
    writeFileSync(env.DATA_DIR, "");
    expect(await runProgram([...program, "serve"], env)).toEqual({
      code: 2,
      out: "",
      err: `market-signal: DATA_DIR ${env.DATA_DIR} is a file; name a folder\n`,
    });
  });

  it.skipIf(!existsSync("/proc/self/stat"))(
    "waits for the write lock of another process, and stops and continues on SIGTSTP and SIGCONT",
    MINUTES,
    async () => {
      const env = { ...settings(), LOG_LEVEL: "warn" };
      const store = await openStore({ dataDir: env.DATA_DIR, clock: stoppedClock() });
      await store.close();
      const other = new Database(store.file, { timeout: 0 });
      onTestFinished(() => void other.close());
      other.exec("BEGIN IMMEDIATE");
      const server = start([...program, "serve"], env);
      await server.says(/"database_locked"/);
      other.exec("ROLLBACK");
      const [, url] = await server.says(/docs {5}(http:\/\/127\.0\.0\.1:\d+)\/docs/);
      server.child.kill("SIGTSTP");
      await vi.waitFor(() => expect(processState(server.child.pid!)).toBe("T"), { timeout: 10_000 });
      server.child.kill("SIGCONT");
      expect((await fetch(`${url}/livez`)).status).toBe(200);
      server.child.kill("SIGTERM");
      expect(await server.ended).toBe(0);
    },
  );

  it.skipIf(!existsSync(PTY))(
    "shows the first key on a terminal, in colour, and exits on Ctrl-C",
    MINUTES,
    async () => {
      const env = settings();
      const server = start(onTerminal("serve"), { ...env, ...TERMINAL });
      const [key] = await server.says(KEY);
      await server.says(/Bearer ms_live_\S+" http\S+\s/);
      expect(server.seen.out).toContain(`\u001b[1m${key}\u001b[22m`);
      expect(stripVTControlCharacters(server.seen.out)).toContain(`${key}  your key, shown only once`);
      expect(existsSync(join(env.DATA_DIR, "first-key.txt"))).toBe(false);
      server.child.stdin.write("\u0003");
      expect(await server.ended).toBe(0);
    },
  );
});

describe("stdio", () => {
  it("answers lists of the whole market in an empty data folder", MINUTES, async () => {
    const { child, says } = start([...program, "stdio", "--toolsets", "all"], settings());
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    });
    await says(/"id":1\b/);
    send({ method: "notifications/initialized" });
    let id = 1;
    const call = async (name: string) => {
      id++;
      send({ id, method: "tools/call", params: { name, arguments: {} } });
      const { input } = await says(new RegExp(`"id":${id}\\b.*\\n`));
      return input.split("\n").find((line) => line.includes(`"id":${id}`))!;
    };
    // on a busy machine the first answer may be that the run is not yet finished
    while (
      (await call("screen_universe")).includes(
        "NOT_ENOUGH_DATA: No nightly run has finished yet; the run over all",
      )
    );
    for (const name of [
      "screen_universe",
      "get_movers",
      "get_sectors",
      "get_signal_index",
      "get_service_index",
    ])
      expect(JSON.parse(await call(name)).result, name).toMatchObject({ structuredContent: { ok: true } });
  });

  it("writes only protocol messages to stdout, and exits with 0 on SIGTERM", MINUTES, async () => {
    const { child, seen, says, ended } = start([...program, "stdio", "--toolsets", "all"], settings());
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "test", version: "1" };
    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    });
    await says(/"id":1\b/);
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/list" });
    await says(/"id":2\b/);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    const answers = seen.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ["2.0", 1],
      ["2.0", 2],
    ]);
    expect(answers[0].result.serverInfo.name).toBe("market-signal");
    expect(answers[1].result.tools.length).toBeGreaterThan(0);
    expect(seen.err).toBe("");
  });
});

describe("a single command", () => {
  it.skipIf(!existsSync(PTY))("prints in colour on a terminal unless NO_COLOR is set", MINUTES, async () => {
    const env = { ...settings(), ...TERMINAL };
    const [painted, plain] = [
      start(onTerminal("config"), env),
      start(onTerminal("config"), { ...env, NO_COLOR: "1" }),
    ];
    expect(await Promise.all([painted.ended, plain.ended])).toEqual([0, 0]);
    expect(painted.seen.out).toContain("\u001b[1mPORT");
    expect(plain.seen.out).toBe(stripVTControlCharacters(painted.seen.out));
  });

  it("exits with 0 when the reader of a pipe closes it", MINUTES, async () => {
    const line = '("$@"; echo "exit $?" >&2) | head -n 2';
    const history = [...program, "get-history", "AAPL", "--limit", "500", "--json"];
    const piped = start(["/bin/sh", "-c", line, "sh", ...history], settings());
    expect(await piped.ended).toBe(0);
    expect(piped.seen).toEqual({ out: '{\n  "ok": true,\n', err: "exit 0\n" });
  });

  it("exits with 130 on SIGINT, even while it waits for the data folder", MINUTES, async () => {
    const env = settings();
    mkdirSync(env.DATA_DIR, { mode: 0o755 });
    const lock = new Database(join(env.DATA_DIR, "start.lock"));
    lock.exec("BEGIN EXCLUSIVE");
    const command = start([...program, "get-quote", "AAPL"], env);
    // The folder is made private immediately before the wait.
    while ((statSync(env.DATA_DIR).mode & 0o777) !== 0o700) await sleep(20);
    command.child.kill("SIGINT");
    expect(await command.ended).toBe(130);
    lock.close();
    expect(command.seen).toEqual({ out: "", err: "" });
  });

  it("runs from any folder, and prints client settings with absolute paths", MINUTES, async () => {
    const dir = tempDir();
    const env = { HOME: dir, MARKET_DATA: "files:bars" };
    const { seen, ended } = start([...program, "mcp", "config", "--stdio"], env, dir);
    expect(await ended).toBe(0);
    expect(JSON.parse(seen.out)).toEqual({
      mcpServers: {
        "market-signal": {
          command: program[0],
          args: [...program.slice(1), "stdio"],
          env: { MARKET_DATA: `files:${join(dir, "bars")}` },
        },
      },
    });
    expect(existsSync(join(dir, ".market-signal"))).toBe(false);
  });
});

/** Packages that are loaded before any command runs; type imports do not count. */
function loadedBy(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const files = [entry];
  for (const file of files)
    for (const [, from] of readFileSync(file, "utf8").matchAll(
      /^(?:import|export)\s(?!type\b)(?:[^;]*?\sfrom\s+)?"([^"]+)"/gm,
    )) {
      const next = normalize(join(dirname(file), from!));
      if (!from!.startsWith(".")) packages.add(from!);
      else if (!files.includes(next)) files.push(next);
    }
  return packages;
}

const namedBy = (entry: string) => [...loadedBy(entry)].filter((name) => !name.startsWith("node:"));

it("loads no database, server, MCP package or parser before a command runs", () => {
  expect(namedBy("src/main.ts")).toEqual([]);
  const packages = namedBy("src/app/program.ts");
  expect(packages.sort()).toEqual(["big.js", "commander", "p-limit", "zod"]);
  expect(loadedBy("src/app/app.ts")).toContain("kysely");
});

it("starts with a shebang", () => {
  expect(readFileSync("src/main.ts", "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
});
