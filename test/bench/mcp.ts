import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { compile } from "../support/compiled.ts";
import { type RepeatedRequest, requestsPerSecond } from "./mcp/load.ts";

const ROUNDS = 7;
const ROUND_MS = 2_000;
const WARM_UP_MS = 4_000;
const CALL = { name: "get_quote", arguments: { symbol: "AAPL" } };
const WHOLE = "test/bench/rest/whole.ts";
const BARE = "test/bench/mcp/bare.ts";

/**
 * Calls of one cached quote per second through the entire program, compared with a server of the MCP SDK that has one
 * tool and returns the same result: over HTTP in two revisions, and over stdio one call after another. Compiled as
 * shipped, each in a separate process, measured in turn.
 */
export async function run(): Promise<void> {
  const built = compile(WHOLE, BARE);
  const dir = mkdtempSync(join(tmpdir(), "market-signal-bench-"));
  const children: ChildProcess[] = [];
  const start = async (file: string, ...args: string[]) => {
    const child = await childOf([...built.script(file), ...args]);
    children.push(child.process);
    return child;
  };
  try {
    console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}`);
    console.log(`load ${loadavg()[0]!.toFixed(1)}, ${ROUNDS} rounds of ${ROUND_MS} ms in turns\n`);
    const whole = addressOf(await lineOf(await start(WHOLE)));
    const modern = modernRequest(whole);
    const result = (await responseTo(modern)).result;
    const file = join(dir, "result.json");
    writeFileSync(
      file,
      JSON.stringify({ content: result.content, structuredContent: result.structuredContent }),
    );
    const bare = addressOf(await lineOf(await start(BARE, "http", file)));
    await compare("HTTP 2026-07-28", [modern, modernRequest(bare)].map(overHttp));
    await compare("HTTP 2025-06-18", [legacyRequest(whole), legacyRequest(bare)].map(overHttp));
    const pipes = [await start(WHOLE, "stdio"), await start(BARE, "stdio", file)];
    for (const pipe of pipes) await initialize(pipe);
    await compare("stdio, sequential", pipes.map(overStdio));
  } finally {
    for (const child of children) await stop(child);
    rmSync(dir, { recursive: true });
    built.remove();
  }
}

type Measure = (ms: number) => Promise<number>;

/** Measures the whole program and the bare SDK in turns, and prints the medians and their ratio. */
async function compare(name: string, [whole, bare]: readonly Measure[]): Promise<void> {
  for (const measure of [whole!, bare!]) await measure(WARM_UP_MS);
  const rounds: [number, number][] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push([await whole!(ROUND_MS), await bare!(ROUND_MS)]);
  const ratio = median(rounds.map(([first, second]) => first / second));
  const speeds = [0, 1].map((i) => Math.round(median(rounds.map((round) => round[i]!))));
  console.log(
    `${name.padEnd(18)} ${ratio.toFixed(2)} of the bare SDK: ${speeds[0]} and ${speeds[1]} calls/s`,
  );
}

const overHttp =
  (request: RepeatedRequest): Measure =>
  (ms) =>
    requestsPerSecond(request, ms);

/** Calls one after another for some time. */
const overStdio =
  (child: Child): Measure =>
  async (ms) => {
    const started = performance.now();
    let calls = 0;
    for (; performance.now() - started < ms; calls++) {
      const { result } = await child.request("tools/call", CALL);
      if (result?.structuredContent === undefined) throw new Error(JSON.stringify(result));
    }
    return (calls / (performance.now() - started)) * 1_000;
  };

interface Child {
  readonly process: ChildProcess;
  readonly lines: Interface;
  request(method: string, params: object): Promise<any>;
}

async function childOf([command, ...args]: readonly string[]): Promise<Child> {
  const child = spawn(command!, args, {
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH: process.env.PATH },
  });
  const lines = createInterface(child.stdout);
  let id = 0;
  return {
    process: child,
    lines,
    async request(method, params) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: id++, method, params })}\n`);
      return JSON.parse(await lineOf({ process: child, lines }));
    },
  };
}

async function lineOf({ process: child, lines }: Pick<Child, "process" | "lines">): Promise<string> {
  const ended = new AbortController();
  const exit = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.join(" ")} ended with ${code}`);
  });
  try {
    const [line] = await Promise.race([once(lines, "line"), exit]);
    return line;
  } finally {
    exit.catch(() => {});
    ended.abort();
  }
}

async function initialize(child: Child): Promise<void> {
  const clientInfo = { name: "bench", version: "1.0.0" };
  await child.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  child.process.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
}

interface Address {
  readonly url: string;
  readonly key?: string;
}

const addressOf = (line: string): Address => JSON.parse(line);

const requestOf = (
  { url, key }: Address,
  headers: Record<string, string>,
  params: object,
): RepeatedRequest => ({
  url: `${url}/api/mcp`,
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...headers,
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
});

const legacyRequest = (address: Address): RepeatedRequest =>
  requestOf(address, { "mcp-protocol-version": "2025-06-18" }, CALL);

function modernRequest(address: Address): RepeatedRequest {
  const revision = "2026-07-28";
  const headers = { "mcp-protocol-version": revision, "mcp-method": "tools/call", "mcp-name": CALL.name };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return requestOf(address, headers, { ...CALL, _meta });
}

async function responseTo({ url, headers, body }: RepeatedRequest): Promise<any> {
  const response = await fetch(url, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return await response.json();
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
