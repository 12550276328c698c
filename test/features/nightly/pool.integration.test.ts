import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RowInputs } from "../../../src/features/nightly/engine-row.ts";
import { createPool, type Spawn } from "../../../src/features/nightly/pool.ts";
import { sourceThread } from "../../support/source-thread.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const subjects = (from: number): RowInputs[] =>
  [0, 1, 2].map((i) => ({
    instrument: { symbol: `S${from + i}`, name: "S", asset_class: "equity", sector: null, currency: "USD" },
    decidedAt: "2026-01-14T21:00:00.000Z",
    source: "fixture",
    venue: "XTST",
    input: {
      // too few bars for levels: a failure among rows
      bars: syntheticBars(from + i, i === 1 ? 10 : 300),
      assetClass: "equity",
      isBenchmark: false,
      benchmark: syntheticBars(99, 300),
      peers: [],
      universe: null,
    },
  }));
const batches = [1, 11, 21, 31].map(subjects);

function poolOf(spawn: Spawn | null, size = 2) {
  const failed: unknown[] = [];
  const pool = createPool({ spawn, size, failed: (cause) => failed.push(cause) });
  onTestFinished(() => pool.close());
  return { pool, failed };
}
const all = (pool: ReturnType<typeof poolOf>["pool"]) => Promise.all(batches.map(pool.compute));
const here = () => all(poolOf(null).pool);
const dying = (code: string): Worker => new Worker(code, { eval: true });

describe("a pool of threads", () => {
  it("computes what this thread computes, in the order of the subjects", async () => {
    const { pool, failed } = poolOf(() => sourceThread());
    const outcomes = await all(pool);
    expect(outcomes).toEqual(await here());
    expect(outcomes.flat().map(({ row, failure }) => row?.symbol ?? failure?.code)).toEqual(
      [1, 11, 21, 31].flatMap((from) => [`S${from}`, "NOT_ENOUGH_DATA", `S${from + 2}`]),
    );
    expect(failed).toEqual([]);
  });

  it("starts no more threads than allowed, and reuses them", async () => {
    let started = 0;
    const { pool } = poolOf(() => {
      started++;
      return sourceThread();
    });
    await all(pool);
    await all(pool);
    expect(started).toBe(2);
  });

  it("computes on the main thread when no thread starts", async () => {
    const { pool, failed } = poolOf(() => {
      throw new Error("no");
    });
    expect(await all(pool)).toEqual(await here());
    expect(failed.length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ["cannot start", "throw new Error('no')"],
    ["end in the middle", "require('node:worker_threads').parentPort.on('message', () => process.exit(3))"],
  ])("computes batches of threads that %s on the main thread", async (_, code) => {
    const { pool, failed } = poolOf(() => dying(code));
    expect(await all(pool)).toEqual(await here());
    expect(failed.length).toBeGreaterThanOrEqual(2);
    const before = failed.length;
    expect(await pool.compute(batches[0]!)).toEqual((await here())[0]);
    expect(failed, "and tries no more threads").toHaveLength(before);
  });

  it("rejects new and running batches once it is closed", async () => {
    const { pool } = poolOf(
      () => dying("require('node:worker_threads').parentPort.on('message', () => {})"),
      1,
    );
    const requests = Promise.allSettled([pool.compute(batches[0]!), pool.compute(batches[1]!)]);
    await new Promise((next) => setImmediate(next));
    await pool.close();
    expect((await requests).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(pool.compute(batches[0]!)).rejects.toThrow("closed");
  });

  it("starts no thread once it is closed, and settles every waiting call", async () => {
    let started = 0;
    const { pool } = poolOf(() => {
      started++;
      return dying("require('node:worker_threads').parentPort.on('message', () => {})");
    }, 1);
    await pool.close();
    const requests = await Promise.allSettled(batches.map(pool.compute));
    expect(requests.map(({ status }) => status)).toEqual(batches.map(() => "rejected"));
    expect(started).toBe(0);
  });
});
