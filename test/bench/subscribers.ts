import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { newMasterKeyText } from "../../src/access/vault/vault.ts";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/installation.ts";
import { storeTransaction } from "../../src/store/transactions.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { createDatabase, POSTGRES_URL } from "../support/postgres.ts";

const SERVERS = 2;
const STREAMS_OF_AN_ACCOUNT = 20;
/** Symbol of every change, and others of which each stream also follows one, so that there are several queries. */
const SYMBOL = "AAPL";
const OTHERS = ["MSFT", "NVDA", "AMZN", "GOOGL", "META", "TSLA", "JPM", "XOM", "SPY", "BTC-USD"];
const OPENED_AT_ONCE = 20;
const PATIENCE_MS = 30_000;

/** What a stream has received: the number of times of each change, and when it came first. */
interface Subscriber {
  readonly socket: Socket;
  readonly times: Uint8Array;
}

/** Streams of this process, with the delays of all changes that they received. */
function createSubscribers(changes: number, sentAt: Float64Array) {
  const subscribers: Subscriber[] = [];
  const delays: number[] = [];
  /** Error codes of the streams that their server has ended. */
  const ended: string[] = [];
  let others = 0;

  async function open(url: string, { key, other }: { readonly key: string; readonly other: string }) {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    const times = new Uint8Array(changes);
    let text = "";
    let isOpen = () => {};
    const opened = new Promise<void>((resolve, reject) => {
      isOpen = resolve;
      socket.once("close", () => reject(new Error(`A stream was closed: ${text.slice(0, 500)}`)));
    });
    socket.setEncoding("utf8").on("data", (part: string) => {
      const at = performance.now();
      text += part;
      for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        if (event.includes("event: hello")) isOpen();
        if (event.includes("event: end")) ended.push(/"code":"(\w+)"/.exec(event)?.[1] ?? event);
        if (!event.includes("event: change")) continue;
        const n = Number(/"change_id":"sc_(\d{20})"/.exec(event)?.[1] ?? Number.NaN);
        if (!(n < changes)) others++;
        else if (times[n]!++ === 0) delays.push(at - sentAt[n]!);
      }
    });
    await once(socket, "connect");
    const path = `/api/v1/signals/stream?symbols=${SYMBOL},${other}`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n\r\n`);
    await opened;
    subscribers.push({ socket, times });
  }

  return {
    subscribers,
    delays,
    ended,
    open,
    /** Number of changes of the market itself that were received beside those of the benchmark. */
    others: () => others,
    count: (times: (n: number) => boolean) =>
      subscribers.reduce((sum, one) => sum + one.times.filter(times).length, 0),
  };
}

/** Stores a change as the watcher of the leader does, and announces it to the other processes. */
async function publish({ store, peers, ports }: App, n: number): Promise<number> {
  const id = `sc_${String(n).padStart(20, "0")}`;
  const at = new Date().toISOString();
  const [decided_at, market] = [at, ports.market.id];
  const verdict = { direction: "LONG", grade: "B", score: 60 };
  const change = {
    change_id: id,
    symbol: SYMBOL,
    timeframe: "1d",
    noticed_at: at,
    decided_at,
    changed: ["grade"],
    before: verdict,
    after: { ...verdict, grade: "A", score: 70 },
    drivers: [],
    price: 100,
    source: "bench",
    model_version: "bench",
  };
  const row = { market, id, symbol: SYMBOL, timeframe: "1d" as const, decided_at, noticed_at: at };
  await storeTransaction(store.db, (tx) =>
    tx
      .insertInto("signal_changes")
      .values({ ...row, json: JSON.stringify(change) })
      .execute(),
  );
  const storedAt = performance.now();
  void peers.request("signal_changes", null);
  return storedAt;
}

/** Delays of signal changes to event streams of two servers: `.ci/postgres npm run bench -- subscribers`. */
export async function run(): Promise<void> {
  if (POSTGRES_URL === null)
    throw new Error("TEST_DATABASE_URL is missing: .ci/postgres npm run bench -- subscribers");
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      subscribers: { type: "string", default: "2000" },
      changes: { type: "string", default: "1000" },
      "per-second": { type: "string", default: "2" },
    },
  });
  const [count, changes, perSecond] = [values.subscribers, values.changes, values["per-second"]].map(Number);
  const url = await createDatabase(POSTGRES_URL);
  const built = await compile();
  const dir = mkdtempSync(join(tmpdir(), "market-signal-subscribers-"));
  const env = (name: string) => ({
    DATABASE_URL: url,
    DATA_DIR: join(dir, name),
    MASTER_KEY,
    HOME: dir,
    LOG_LEVEL: "error",
  });
  const MASTER_KEY = newMasterKeyText();
  const names = Array.from({ length: SERVERS }, (_, i) => `server-${i}`);
  const servers = await Promise.all(names.map((name) => serveOn(built.product, env(name))));
  const app = await createApp(readConfig({ ...env("publisher"), LOG_LEVEL: "silent" }));
  try {
    await app.store.replicas!.join();
    const sentAt = new Float64Array(changes!);
    const {
      subscribers,
      delays,
      ended,
      open,
      others,
      count: countTimes,
    } = createSubscribers(changes!, sentAt);
    const keys: string[] = [];
    for (let i = 0; i < count! / STREAMS_OF_AN_ACCOUNT; i++)
      keys.push((await app.access.create({ plan: "enterprise" })).key);
    const began = performance.now();
    for (let i = 0; i < count!; i += OPENED_AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(OPENED_AT_ONCE, count! - i) }, (_, j) => {
          const [n, account] = [i + j, Math.floor((i + j) / STREAMS_OF_AN_ACCOUNT)];
          return open(servers[n % SERVERS]!.url, { key: keys[account]!, other: OTHERS[n % OTHERS.length]! });
        }),
      );
    console.log(
      `${count} streams open on ${SERVERS} servers after ${((performance.now() - began) / 1_000).toFixed(0)} s`,
    );
    const start = performance.now();
    for (let n = 0; n < changes!; n++) {
      await sleep(Math.max(0, start + (n * 1_000) / perSecond! - performance.now()));
      sentAt[n] = await publish(app, n);
      if (n % 100 === 99) console.log(`${n + 1} changes stored, ${delays.length} messages received`);
    }
    const lastAt = performance.now();
    while (delays.length < count! * changes! && performance.now() - lastAt < PATIENCE_MS) await sleep(50);
    const sorted = delays.sort((a, b) => a - b);
    const at = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0);
    const [lost, twice] = [countTimes((n) => n === 0), countTimes((n) => n > 1)];
    console.log(
      `${changes} changes, ${perSecond} a second, to ${count} streams: ${lost} lost, ${twice} received twice, ${others()} others; p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms (${sorted.length})`,
    );
    if (ended.length > 0) console.log(`${ended.length} streams ended: ${[...new Set(ended)].join(", ")}`);
    if (lost + twice > 0) process.exitCode = 1;
    for (const { socket } of subscribers) socket.removeAllListeners("close").destroy();
  } finally {
    await app.close();
    for (const { child } of servers) child.kill("SIGKILL");
    built.remove();
    rmSync(dir, { recursive: true, force: true });
  }
}
