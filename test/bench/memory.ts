import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readConfig } from "../../src/app/config.ts";
import { openInstallation } from "../../src/app/installation.ts";
import { TOOLSETS, type Tool } from "../../src/kernel/tool.ts";
import { LISTINGS } from "../../src/providers/sample/listing.ts";
import * as tools from "../../tools/index.ts";
import { freePort } from "../support/free-port.ts";

const PROGRAM = "dist/main.js";
const ACCOUNTS = 12;
const MINUTES = 10;
const TARGET_MB = 400;
const SAMPLE_MS = 2_000;
const DAY_MS = 86_400_000;
/** Number of past days from which times are drawn, so that almost no request repeats an earlier one. */
const DAYS = 600;
const TIMEFRAMES = ["1d", "1h", "4h", "15m"];

/** Memory of the built server under cold, varied requests of twelve accounts: `-- memory --minutes 10`. */
export async function run(): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error("npm run build first");
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { minutes: { type: "string", default: String(MINUTES) } },
  });
  const minutes = Number(values.minutes);
  const dataDir = mkdtempSync(join(tmpdir(), "market-signal-bench-"));
  try {
    const keys = await createKeys(dataDir);
    const server = await startServer(dataDir);
    const until = performance.now() + minutes * 60_000;
    const samples: number[] = [];
    const counts = { sent: 0, answered: 0, refused: 0 };
    const sampling = (async () => {
      while (performance.now() < until) {
        samples.push(residentMb(server.pid));
        await sleep(SAMPLE_MS);
      }
    })();
    await Promise.all(keys.map((key, i) => sendUntil(until, { url: server.url, key, seed: i + 1, counts })));
    await sampling;
    const cpu = processorSeconds(server.pid);
    await server.stop();
    const last = samples.slice(-Math.ceil(samples.length / 5)).sort((a, b) => a - b);
    const settled = last[Math.floor(last.length / 2)]!;
    const verdict = settled <= TARGET_MB ? "met" : "not met";
    console.log(
      [
        `memory after ${minutes} varied minutes, ${ACCOUNTS} accounts: ${Math.round(settled)} MB (<= ${TARGET_MB} MB: ${verdict})`,
        `most ${Math.round(Math.max(...samples))} MB; ${counts.sent} requests, ${counts.answered} answered, ${counts.refused} refused; ${Math.round((1_000 * cpu) / counts.sent)} ms of processor time each`,
        `by minute: ${samples
          .filter((_, i) => i % Math.round(60_000 / SAMPLE_MS) === 0)
          .map(Math.round)
          .join(" ")} MB`,
      ].join("\n"),
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function createKeys(dataDir: string): Promise<readonly string[]> {
  const { access, close } = await openInstallation(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "error" }));
  const keys: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++)
    keys.push((await access.create({ plan: "enterprise", account: `account-${i}` })).key);
  await close();
  return keys;
}

/** Starts the built program as `npm start` does. */
async function startServer(dataDir: string) {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } };
  const words = scripts.start.split(" ").slice(["exec", "node"].length);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, words, {
    env: {
      ...(process.env.SRV_OPT ? { NODE_OPTIONS: process.env.SRV_OPT } : {}),
      ...(process.env.SRV_ENV ? JSON.parse(process.env.SRV_ENV) : {}),
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}`);
    await sleep(100);
  }
  return {
    url,
    pid: child.pid!,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

/** Processor time of a process and its threads; the kernel counts it in hundredths of a second. */
const processorSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

interface Load {
  readonly url: string;
  readonly key: string;
  readonly seed: number;
  readonly counts: { sent: number; answered: number; refused: number };
}

/** Sends the read tools in turn, each time with other inputs and another spelling of the toolsets. */
async function sendUntil(until: number, { url, key, seed, counts }: Load): Promise<void> {
  const next = drawsOf(seed);
  const called = Object.values(tools as Readonly<Record<string, Tool>>).filter(
    ({ effect }) => effect === "read",
  );
  for (let id = seed; performance.now() < until; id++) {
    const tool = called[next(called.length)]!;
    const toolsets = TOOLSETS.filter(() => next(2) === 0).join(",");
    const response = await fetch(`${url}/api/mcp?toolsets=${toolsets || "all"}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id,
        ...(next(20) === 0
          ? { method: "tools/list", params: {} }
          : { method: "tools/call", params: { name: tool.name, arguments: inputOf(tool, next) } }),
      }),
    });
    counts.sent++;
    const text = await response.text();
    if (response.ok && !text.includes('"isError":true')) counts.answered++;
    else counts.refused++;
    if (response.status === 429 || text.includes("RATE_LIMITED")) await sleep(1_000);
  }
}

/** Returns an example of a tool with another symbol, time, length and number. */
function inputOf({ examples, input }: Tool, next: (count: number) => number): Record<string, unknown> {
  const example = examples[next(examples.length)] as { readonly input?: object } | undefined;
  const { shape } = input;
  const symbol = () => LISTINGS[next(LISTINGS.length)]!.instrument.symbol;
  const day = () => new Date(Date.now() - next(DAYS) * DAY_MS - next(24) * 3_600_000).toISOString();
  const drawn: Readonly<Record<string, () => unknown>> = {
    symbol,
    symbols: () => Array.from({ length: 1 + next(8) }, symbol),
    as_of: day,
    timeframe: () => TIMEFRAMES[next(TIMEFRAMES.length)],
    limit: () => 1 + next(200),
    query: () => `${symbol()} signal ${next(10_000)}`,
    detail: () => ["concise", "full"][next(2)],
  };
  const fields = Object.keys(shape).filter((name) => name in drawn);
  return { ...example?.input, ...Object.fromEntries(fields.map((name) => [name, drawn[name]!()])) };
}

/** Returns a function that draws whole numbers below a count (mulberry32). */
function drawsOf(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  };
}
