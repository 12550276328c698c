import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compile } from "../../support/compiled.ts";
import {
  type Address,
  addressOf,
  type Child,
  lineOf,
  median,
  spawnChild,
  stop,
  withStartOptions,
} from "../servers/child.ts";
import { type RepeatedRequest, requestsPerSecond } from "../servers/load.ts";
import { compare, type Measure, speedOf } from "./rounds.ts";
import { atLeast, atMost, type Row, withoutTarget } from "./row.ts";

const PROGRAM = "test/bench/servers/program.ts";
const HONO = "test/bench/servers/bare-hono.ts";
const FASTIFY = "test/bench/servers/bare-fastify.ts";
const QUOTE = "/api/v1/quote/AAPL";
const HISTORY = "/api/v1/history/AAPL?limit=500";
const SIGNAL = "/api/v1/signals/AAPL";
const TIMEFRAMES = ["1h", "4h", "15m", "1d", "5m"] as const;
const SYMBOLS = "AAPL MSFT NVDA AMZN GOOGL META TSLA JPM XOM KO V QQQ BAC GE HD SPY AVGO JNJ PG COST".split(
  " ",
);
const MIXED_CALLS = 8_000;
const WARM_SCANS = 30;

/** Measures the program over HTTP: its speed relative to bare Hono and Fastify, its memory, and how long expensive calls delay others. */
export async function httpRows(): Promise<readonly Row[]> {
  const built = await compile({ scripts: [PROGRAM, HONO, FASTIFY] });
  const dir = mkdtempSync(join(tmpdir(), "market-signal-bench-"));
  const children: ChildProcess[] = [];
  const start = async (file: string, ...args: string[]) => {
    const command = built.script(file);
    const child = await spawnChild([...(file === PROGRAM ? withStartOptions(command) : command), ...args]);
    children.push(child.process);
    return { child, ...addressOf(await lineOf(child)) };
  };
  try {
    const program = await programServerOf(await start(PROGRAM));
    const idle = (await program.state()).memoryMb;
    const answers = {
      [QUOTE]: await program.get(QUOTE),
      [HISTORY.split("?")[0]!]: await program.get(HISTORY),
    };
    const file = join(dir, "answers.json");
    writeFileSync(file, JSON.stringify(answers));
    const peers = [await start(HONO, file), await start(FASTIFY, file)];
    const compareOn = (path: string) =>
      compare(
        program.repeated(path),
        peers.map(
          ({ url }) =>
            (ms) =>
              requestsPerSecond({ ...getOf(url + path), headers: {} }, ms),
        ),
      );
    const [quote, quoteOfFastify] = await compareOn(QUOTE);
    const [history, historyOfFastify] = await compareOn(HISTORY);
    const signal = await speedOf(program.repeated(SIGNAL));
    const skill = await speedOf(program.a2a());
    const speeds = [
      atLeast("quote over REST, relative to bare Hono", quote!.ratio, 0.5, quote!.text),
      withoutTarget("quote over REST, relative to bare Fastify", quoteOfFastify!.text),
      atLeast("history of 500 bars, relative to bare Hono", history!.ratio, 3, history!.text),
      withoutTarget("history of 500 bars, relative to bare Fastify", historyOfFastify!.text),
      atLeast("repeated signal over REST", signal, 5_000, `${Math.round(signal)}/s`),
      withoutTarget("quote over A2A", `${Math.round(skill)}/s`),
    ];
    const stalls = await stallRows(program);
    const scans = await scanRows(program);
    for (let i = 0; i < MIXED_CALLS; i += 4)
      await Promise.all(
        [QUOTE, HISTORY, `/api/v1/signals/${SYMBOLS[i % SYMBOLS.length]}`, "/api/v1/news/AAPL"].map(
          program.get,
        ),
      );
    const busy = (await program.state()).memoryMb;
    const first = await programServerOf(await start(PROGRAM, "background"));
    await first.state();
    await sleep(10_000);
    const firstPause = (await first.state()).longestPauseMs;
    return [
      ...speeds,
      ...scans,
      ...stalls,
      atMost("longest pause of the event loop, first 10 s of a new installation", firstPause, 50, "ms"),
      atMost("memory, idle", idle, 130, "MB"),
      atMost(`memory after ${MIXED_CALLS} mixed calls`, busy, 260, "MB"),
    ];
  } finally {
    for (const child of children) await stop(child);
    rmSync(dir, { recursive: true });
    built.remove();
  }
}

const getOf = (url: string): Omit<RepeatedRequest, "headers"> => ({ method: "GET", url, body: "" });

interface Started extends Address {
  readonly child: Child;
}

interface ProgramServer {
  fetch(path: string, body?: object): Promise<Response>;
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  repeated(path: string): Measure;
  a2a(): Measure;
  state(): Promise<{ readonly longestPauseMs: number; readonly memoryMb: number }>;
}

async function programServerOf({ child, url, key }: Started): Promise<ProgramServer> {
  const auth = { authorization: `Bearer ${key}` };
  const fetchPath = (path: string, body?: object) =>
    fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...auth, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const read = async (path: string, body?: object) => {
    const response = await fetchPath(path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as unknown;
  };
  const part = { data: { skill: "get_quote", input: { symbol: "AAPL" } }, mediaType: "application/json" };
  const message = { messageId: "00000000-0000-4000-8000-000000000001", role: "ROLE_USER", parts: [part] };
  return {
    fetch: fetchPath,
    get: (path) => read(path),
    post: read,
    repeated: (path) => (ms) => requestsPerSecond({ ...getOf(url + path), headers: auth }, ms),
    a2a: () => (ms) =>
      requestsPerSecond(
        {
          url: `${url}/api/a2a`,
          headers: { ...auth, "content-type": "application/json", "a2a-version": "1.0" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }),
        },
        ms,
      ),
    async state() {
      child.process.stdin!.write("\n");
      return JSON.parse(await lineOf(child));
    },
  };
}

/** Measures the longest pause of the event loop during expensive calls, and the 99th percentile of quotes meanwhile. */
async function stallRows(program: ProgramServer): Promise<readonly Row[]> {
  const times: number[] = [];
  const during = async (work: () => Promise<unknown>): Promise<number> => {
    await program.state();
    let isRunning = true;
    const quotes = (async () => {
      while (isRunning) {
        const started = performance.now();
        await program.get(QUOTE);
        times.push(performance.now() - started);
      }
    })();
    await work();
    isRunning = false;
    await quotes;
    return (await program.state()).longestPauseMs;
  };
  const scan = (timeframe: string) => program.post("/api/v1/scan", { symbols: SYMBOLS, timeframe });
  const scans = await during(() => Promise.all(TIMEFRAMES.map(scan)));
  const body = {
    symbol: "AAPL",
    strategy: "sma_cross",
    sweep: { fast: "2..40", slow: "41..90" },
    picture: false,
  };
  const sweep = await during(() => program.post("/api/v1/backtest", body));
  const changed = await during(() =>
    Promise.all(
      Array.from({ length: 20 }, () =>
        program.get(`/api/v1/signals/changes?since=2026-01-02&symbols=${SYMBOLS.join(",")}`),
      ),
    ),
  );
  const slowest = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
  return [
    atMost("longest pause of the event loop, 5 uncached scans of 20 symbols", scans, 50, "ms"),
    atMost("longest pause of the event loop, backtest sweep of 1,950 parameter pairs", sweep, 50, "ms"),
    atMost("longest pause of the event loop, 20 calls of what_changed", changed, 250, "ms"),
    atMost("quote during these calls, p99", slowest, 25, "ms"),
  ];
}

async function scanRows(program: ProgramServer): Promise<readonly Row[]> {
  const times: number[] = [];
  for (let i = 0; i < WARM_SCANS; i++) {
    const started = performance.now();
    await program.post("/api/v1/scan", { symbols: SYMBOLS });
    times.push(performance.now() - started);
  }
  return [atMost("repeated scan of 20 symbols", median(times), 15, "ms")];
}
