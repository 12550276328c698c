import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
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
const built = await compile();
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

  it("names itself as it was started", MINUTES, async () => {
    const env = settings();
    mkdirSync(env.DATA_DIR);
    expect(await runProgram([...program, "keys", "revoke", "unknown"], env)).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^NOT_FOUND Key not found\n`node \S+main\.js keys list` shows the ids\.\n$/),
    });
  });

  it.skipIf(process.platform === "win32")(
    "appends log lines to LOG_FILE, also after the file was renamed and SIGHUP was sent",
    MINUTES,
    async () => {
      const env = { ...settings(), LOG_LEVEL: "info" };
      const file = join(env.HOME, "server.log");
      const server = start([...program, "serve"], { ...env, LOG_FILE: file });
      const [, url] = await server.says(/docs {5}(http:\/\/127\.0\.0\.1:\d+)\/docs/);
      const key = readFileSync(join(env.DATA_DIR, "first-key.txt"), "utf8").trim();
      const eventsIn = (path: string) =>
        readFileSync(path, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => (JSON.parse(line) as { readonly event: string }).event);
      const quote = () => fetch(`${url}/api/v1/quote/AAPL`, { headers: { authorization: `Bearer ${key}` } });
      expect((await quote()).status).toBe(200);
      await vi.waitFor(() => expect(eventsIn(file)).toContain("call"), { timeout: 10_000 });
      renameSync(file, `${file}.1`);
      server.child.kill("SIGHUP");
      expect((await quote()).status).toBe(200);
      await vi.waitFor(() => expect(eventsIn(file)).toContain("call"), { timeout: 10_000 });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      server.child.kill("SIGTERM");
      expect(await server.ended).toBe(0);
      expect(server.seen.err).toBe("");
      expect(readFileSync(`${file}.1`, "utf8") + readFileSync(file, "utf8")).not.toMatch(KEY);
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
    "shows the first key on a terminal, in colour and at one start only, and exits on Ctrl-C",
    MINUTES,
    async () => {
      const env = settings();
      const server = start(onTerminal("serve"), { ...env, ...TERMINAL });
      const [key] = await server.says(KEY);
      await server.says(/Bearer ms_live_\S+" http\S+\s/);
      expect(server.seen.out).toContain(`\u001b[1m${key}\u001b[22m`);
      expect(stripVTControlCharacters(server.seen.out)).toContain(`${key}  your key, shown only once`);
      const keyFile = join(env.DATA_DIR, "first-key.txt");
      expect(server.seen.out).toContain(`It is saved in ${keyFile}, readable only by you`);
      expect(readFileSync(keyFile, "utf8")).toBe(`${key}\n`);
      server.child.stdin.write("\u0003");
      expect(await server.ended).toBe(0);
      const restarted = start(onTerminal("serve"), { ...env, ...TERMINAL });
      await restarted.says(/Your key is in .*first-key\.txt, readable only by you\.[\s\S]*\/docs/);
      restarted.child.stdin.write("\u0003");
      expect(await restarted.ended).toBe(0);
      expect(restarted.seen.out).not.toMatch(KEY);
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

describe("settings in the data folder", () => {
  it.skipIf(!existsSync(PTY))(
    "are stored by setup with answers at a terminal, and used by every command",
    MINUTES,
    async () => {
      const env = { HOME: settings().HOME };
      const dataDir = join(env.HOME, ".market-signal");
      const { child, says, ended, seen } = start(onTerminal("setup"), { ...env, ...TERMINAL });
      const answers = [
        [/Market: .* \[sample\]: /, "live"],
        [/Number of a provider .*: /, "1"],
        [/FINNHUB_TOKEN \(not shown\) \[none\]: /, "typed-and-never-shown"],
        [/\[none\]: [\s\S]*Number of a provider .*: /, ""],
        [/Port of the server \[8787\]: /, "9000"],
        [/Cash in US dollars .*: /, ""],
      ] as const;
      for (const [question, answer] of answers) {
        await says(question);
        child.stdin.write(`${answer}\r`);
      }
      expect(await ended, seen.out).toBe(0);
      expect(seen.out).not.toContain("typed-and-never-shown");
      expect(readFileSync(join(dataDir, "config.toml"), "utf8")).toBe('market_data = "live"\nport = 9000\n');
      const { settings: listed } = JSON.parse((await runProgram([...program, "config", "--json"], env)).out);
      const sources = Object.fromEntries(
        listed.map(({ name, value, source }: Record<string, string>) => [name, `${value} ${source}`]),
      );
      expect(sources).toMatchObject({
        MARKET_DATA: "live config.toml",
        PORT: "9000 config.toml",
        FINNHUB_TOKEN: "set (sealed) vault",
        PAPER_EQUITY: "100000 default",
      });
    },
  );

  it("are refused in one line that names the file and the line", MINUTES, async () => {
    const env = settings();
    mkdirSync(env.DATA_DIR, { mode: 0o700 });
    writeFileSync(join(env.DATA_DIR, "config.toml"), 'host = "127.0.0.1"\nprot = 9000\n');
    const refused = {
      code: 2,
      out: "",
      err: `market-signal: ${env.DATA_DIR}/config.toml, line 2: there is no setting "prot"; the nearest name is port\n`,
    };
    expect(await runProgram([...program, "quote", "AAPL"], env)).toEqual(refused);
    expect(await runProgram([...program, "serve"], env)).toEqual(refused);
  });
});

describe("a command beside a server on its data folder", () => {
  const QUOTE = [...program, "quote", "AAPL", "--json"];

  it("asks the server, unless its environment has other settings for answers", MINUTES, async () => {
    const env = settings();
    const server = start([...program, "serve", "--log-level", "info", "--demo-symbol", "MSFT"], env);
    const [, url] = await server.says(/docs {5}(http:\S+)\/docs/);
    expect(statSync(join(env.DATA_DIR, "server.sock")).mode & 0o777).toBe(0o600);
    const asked = await runProgram(QUOTE, env);
    expect(asked).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(asked.out)).toMatchObject({ symbol: "AAPL", label: "SAMPLE (simulated)" });
    expect(await runProgram(QUOTE, { ...env, DEMO_SYMBOL: "NVDA" })).toMatchObject({ code: 0, err: "" });
    const failed = await runProgram([...program, "quote", "NOSUCHSYMBOL"], env);
    expect(failed).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/^UNKNOWN_SYMBOL /) });
    const second = start([...program, "serve"], env);
    await second.says(
      new RegExp(`another server runs on this data folder, at ${url}: commands call that one`),
    );
    second.child.kill("SIGTERM");
    expect(await second.ended).toBe(0);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    const calls = server.seen.err.split("\n").filter((line) => line.includes('"transport":"cli"'));
    expect(calls.map((line) => JSON.parse(line).code)).toEqual(["OK", "UNKNOWN_SYMBOL"]);
    expect(existsSync(join(env.DATA_DIR, "server.sock"))).toBe(false);
  });

  it("opens the folder with the settings of the server, and names its URL", MINUTES, async () => {
    const env = settings();
    const folder = tempDir();
    const bars = "date,open,high,low,close,volume\n2026-11-25,10,11,9,10,100\n2026-11-27,10,12,10,11,100\n";
    writeFileSync(join(folder, "AAPL.csv"), bars);
    const options = ["--market-data", `files:${folder}`];
    const server = start([...program, "serve", ...options], env);
    const [, url] = await server.says(/docs {5}(http:\S+)\/docs/);
    const findings = (await runProgram([...program, "doctor"], env)).out;
    expect(findings).toContain(`server: runs at ${url}, market: files`);
    expect(findings).toMatch(/market: .*1 symbol/);
    expect((await runProgram([...program, "mcp", "config"], env)).out).toContain(`"url": "${url}/api/mcp"`);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    const after = (await runProgram([...program, "doctor"], env)).out;
    expect(after).toContain("server: none runs on this data folder");
    expect(after).toContain("SAMPLE (simulated)");
  });

  it("opens the folder itself after the server was killed, and says so", MINUTES, async () => {
    const env = settings();
    const server = start([...program, "serve"], env);
    await server.says(/\/docs/);
    server.child.kill("SIGKILL");
    await server.ended;
    expect(await runProgram(QUOTE, env)).toMatchObject({
      code: 0,
      err: `note: the server of this data folder was killed and left ${env.DATA_DIR}/server.sock, which the next server replaces. This command opens the data folder itself.\n`,
    });
    const next = start([...program, "serve"], env);
    await next.says(/\/docs/);
    expect(await runProgram(QUOTE, env)).toMatchObject({ code: 0, err: "" });
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
  expect(packages.sort()).toEqual(["big.js", "commander", "p-limit", "string-width", "zod"]);
  expect(loadedBy("src/app/app.ts")).toContain("kysely");
});

it("starts with a shebang", () => {
  expect(readFileSync("src/main.ts", "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
});
