import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { newMasterKeyText } from "../../src/access/vault/vault.ts";
import { openPostgresStore } from "../../src/store/postgres/open-store.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { createDatabase, POSTGRES_URL } from "../support/postgres.ts";
import { launch, type Program } from "../support/program.ts";

const REQUESTS = 500;
const REVOCATIONS = 10;
const MOVES = 5;

const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);
const report = (what: string, values: readonly number[]): void => {
  const all = sorted(values);
  const at = (share: number) => all[Math.min(all.length - 1, Math.floor(all.length * share))]!.toFixed(1);
  console.log(`${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms (${all.length})`);
};

async function timeUntil(isDone: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await isDone())) await sleep(2);
  return performance.now() - began;
}

/** Requests between two processes that share an event loop, small and through the table. */
async function requests(url: string): Promise<void> {
  const clock = { now: () => new Date() };
  const [one, two] = [await openPostgresStore({ url, clock }), await openPostgresStore({ url, clock })];
  await one.replicas!.join();
  await two.replicas!.join();
  two.replicas!.peers.onRequest("echo", (payload) => payload);
  for (const size of [10, 100_000]) {
    const took: number[] = [];
    for (let i = 0; i < REQUESTS; i++) {
      const began = performance.now();
      const { length } = await one.replicas!.peers.request("echo", "a".repeat(size));
      if (length !== 1) throw new Error("A request was lost");
      took.push(performance.now() - began);
    }
    report(`request to a peer and its response, ${size} bytes`, took);
  }
  await Promise.all([one.close(), two.close()]);
}

/** Times between two servers on one database: `.ci/postgres npm run bench -- replicas`. */
export async function run(): Promise<void> {
  if (POSTGRES_URL === null)
    throw new Error("TEST_DATABASE_URL is missing: .ci/postgres npm run bench -- replicas");
  await requests(await createDatabase(POSTGRES_URL));
  const url = await createDatabase(POSTGRES_URL);
  const built = await compile();
  const dir = mkdtempSync(join(tmpdir(), "market-signal-replicas-"));
  const MASTER_KEY = newMasterKeyText();
  const env = (name: string) => ({
    DATABASE_URL: url,
    DATA_DIR: join(dir, name),
    MASTER_KEY,
    HOME: dir,
    LOG_LEVEL: "info",
  });
  const serve = (name: string) => serveOn(built.product, env(name));
  const client = new pg.Client({ connectionString: url });
  const running = [await serve("a"), await serve("b")];
  try {
    await client.connect();
    const command = async (...options: string[]) => {
      const { seen, ended } = launch([...built.product, ...options], env("a"));
      if ((await ended) !== 0) throw new Error(seen.err);
      return seen.out;
    };
    const revoked: number[] = [];
    for (let i = 0; i < REVOCATIONS; i++) {
      const { key, id } = JSON.parse(
        await command("keys", "create", "--account", `a${i}`, "--plan", "pro", "--json"),
      );
      const headers = { authorization: `Bearer ${key}` };
      const status = async () =>
        (await fetch(new URL("/api/v1/watchlists", running[1]!.url), { headers })).status;
      if ((await status()) !== 200) throw new Error("The key is not valid");
      await client.query("UPDATE keys SET revoked_at = '2026-01-01T00:00:00.000Z' WHERE id = $1", [id]);
      revoked.push(await timeUntil(async () => (await status()) === 401));
    }
    report("key refused by the other server", revoked);

    const term = async () => Number((await client.query("SELECT term FROM leader")).rows[0].term);
    const hasLed = ({ seen }: Program, newest: number) =>
      new RegExp(`leader[^\\n]*term\\D+${newest}\\b`).test(seen.out + seen.err);
    const lost: number[] = [];
    const killed: number[] = [];
    for (let i = 0; i < MOVES; i++) {
      const before = await term();
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7006 AND granted`,
      );
      lost.push(await timeUntil(async () => (await term()) > before));
    }
    report("another leader after its connection was lost", lost);
    for (let i = 0; i < MOVES; i++) {
      const before = await term();
      await timeUntil(async () => running.some((program) => hasLed(program, before)));
      const leader = running.findIndex((program) => hasLed(program, before));
      running[leader]!.child.kill("SIGKILL");
      killed.push(await timeUntil(async () => (await term()) > before));
      running[leader] = await serve(`c${i}`);
    }
    report("another leader after it was killed", killed);
  } finally {
    await client.end();
    for (const { child } of running) child.kill("SIGKILL");
    built.remove();
    rmSync(dir, { recursive: true, force: true });
  }
}
