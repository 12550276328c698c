import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../../src/app/config.ts";
import { openInstallation } from "../../../src/app/installation.ts";
import { freePort } from "../../support/free-port.ts";
import { median } from "../servers/child.ts";
import { atLeast, atMost, type Row, withoutTarget } from "./row.ts";

const PROGRAM = "dist/main.js";
const RUNS = 5;
const SYMBOLS = "AAPL MSFT NVDA AMZN GOOGL META TSLA JPM XOM KO V QQQ BAC GE HD SPY AVGO JNJ PG COST".split(
  " ",
);
/** Number of accounts that send the load, so that none reaches its quota. */
const ACCOUNTS = 24;
const LOAD_MS = 6_000;
/** Index of the first signal of a measurement; the warm-up requests fewer signals. */
const FIRST_MEASURED_SIGNAL = 4_000;
const DAY_MS = 86_400_000;

/** Measures commands and the start of the built program, and compares a server of two processes with one. */
export async function commandRows(): Promise<readonly Row[]> {
  if (!existsSync(PROGRAM)) return [withoutTarget("commands", "not measured: npm run build first")];
  const dir = mkdtempSync(join(tmpdir(), "market-signal-bench-"));
  try {
    const env = { PATH: process.env.PATH, DATA_DIR: join(dir, "commands"), LOG_LEVEL: "error" };
    const timed = (...words: readonly string[]) =>
      median(
        Array.from({ length: RUNS }, () => {
          const started = performance.now();
          const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
            env,
            encoding: "utf8",
          });
          if (status !== 0) throw new Error(stderr);
          return performance.now() - started;
        }),
      );
    const starts: number[] = [];
    for (let i = 0; i < RUNS; i++) {
      const server = await serverOn(join(dir, `start-${i}`), []);
      starts.push(server.startMs);
      await server.stop();
    }
    return [
      atMost("market-signal --version", timed("--version"), 120, "ms"),
      atMost("market-signal get-quote AAPL", timed("get-quote", "AAPL"), 300, "ms"),
      atMost("market-signal signal AAPL", timed("signal", "AAPL"), 450, "ms"),
      atMost("start until ready, new data folder", median(starts), 1_200, "ms"),
      await processesRow(dir),
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Compares the uncached signals per second of two processes with those of one. Without compute threads, because one
 * process with a thread already uses two cores.
 */
async function processesRow(dir: string): Promise<Row> {
  const speeds: number[] = [];
  for (const processes of ["1", "2"]) {
    const dataDir = join(dir, `processes-${processes}`);
    const { access, close } = await openInstallation(readConfig({ DATA_DIR: dataDir }));
    const keys: string[] = [];
    for (let i = 0; i < ACCOUNTS; i++)
      keys.push((await access.create({ plan: "enterprise", account: `account-${i}` })).key);
    await close();
    const server = await serverOn(dataDir, ["--processes", processes], { COMPUTE_THREADS: "0" });
    await sleep(8_000); // the first nightly run
    await newSignalsPerSecond(server.url, keys, 0); // compiles the code of each process
    speeds.push(await newSignalsPerSecond(server.url, keys, FIRST_MEASURED_SIGNAL));
    await server.stop();
  }
  const [one, two] = speeds as [number, number];
  return atLeast(
    "uncached signals without threads, two processes relative to one",
    two / one,
    1.8,
    `${(two / one).toFixed(2)} (${Math.round(two)}/s and ${Math.round(one)}/s)`,
  );
}

/** Returns signals per second, starting with the signal at index `first`; those before it may be cached. */
async function newSignalsPerSecond(url: string, keys: readonly string[], first: number): Promise<number> {
  const until = performance.now() + LOAD_MS;
  let sent = first;
  await Promise.all(
    keys.map(async (key) => {
      while (performance.now() < until) {
        const at = sent++;
        const day = new Date(Date.now() - (5 + Math.floor(at / SYMBOLS.length)) * DAY_MS)
          .toISOString()
          .slice(0, 10);
        const path = `/api/v1/signals/${SYMBOLS[at % SYMBOLS.length]}?as_of=${day}`;
        const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
        const text = await response.text();
        if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
      }
    }),
  );
  return (sent - first) / (LOAD_MS / 1_000);
}

/** Starts the built program on a data folder. */
async function serverOn(
  dataDir: string,
  options: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "serve", ...options], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await isReady(url, child))) await sleep(5);
  return {
    url,
    startMs: performance.now() - started,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}`);
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}
