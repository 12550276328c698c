import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { sql } from "kysely";
import { runRepository } from "../../src/store/nightly/run-repository.ts";
import type { Store } from "../../src/store/store.ts";
import { compile } from "../support/compiled.ts";
import { inlineCompute } from "../support/context.ts";
import { longEngine } from "../support/long-run.ts";
import { createDatabase, onEachInsert, POSTGRES_URL } from "../support/postgres.ts";
import { launch, type Program } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { openJobsStore } from "./jobs-store.ts";
import type { Proof } from "./proof.ts";

const SIZES = { quick: { size: 320, kills: 2 }, full: { size: 10_000, kills: 20 } } as const;
const PROCESS = "test/proofs/jobs-process.ts";
const RUN = "the-run";
const PATIENCE_MS = 300_000;

/**
 * Kills the processes of a nightly run, one of which began it, and stops on PostgreSQL the one with the last batch until
 * the other has written it.
 */
export const jobs: Proof = {
  name: "jobs",
  claim:
    "Every symbol of a nightly run is computed and written once when its processes are killed or stopped",

  async run({ scale, seed, report }) {
    const { size, kills } = SIZES[scale];
    const { dir, remove } = suiteDir();
    const database = POSTGRES_URL === null ? join(dir, "data") : await createDatabase(POSTGRES_URL);
    const built = await compile({ scripts: [PROCESS] });
    const store = await openJobsStore(database);
    await sql`CREATE TABLE written (symbol TEXT NOT NULL)`.execute(store.db);
    await onEachInsert(store.db, "engine_rows", "INSERT INTO written VALUES (NEW.symbol);");
    const release = join(dir, "release");
    const begin = (which: number) =>
      launch([...built.script(PROCESS), database, `${size}`, release, ...(which === 0 ? [RUN] : [])], {});
    const programs = [begin(0), begin(1)] as [Program, Program];
    const delays = fc.sample(fc.nat({ max: 40 }), { numRuns: kills, seed });
    const killed = [0, 0];
    try {
      const before = performance.now();
      for (const [i, ms] of delays.entries()) {
        const which = i % 2 === 0 ? 1 : 0;
        await until(store, Math.floor(((i + 1) * size) / (kills + 2)), programs);
        await sleep(ms);
        programs[which].child.kill("SIGKILL");
        await programs[which].ended;
        killed[which]!++;
        programs[which] = begin(which);
        report(`kill ${i + 1} of ${which === 0 ? "the process that began the run" : "the other one"}`);
      }
      const holder = await Promise.any(
        programs.map(async (program) => {
          await program.says(/holds the last batch\n/);
          return program;
        }),
      );
      // a stopped process may hold the lock of SQLite
      if (POSTGRES_URL !== null) holder.child.kill("SIGSTOP");
      writeFileSync(release, "");
      if (POSTGRES_URL !== null) {
        await until(store, size, programs);
        holder.child.kill("SIGCONT");
      }
      await programs[0].says(/finished \d+ 0\n/);
      programs[1].child.kill("SIGTERM");
      await programs[1].ended;
      const seconds = ((performance.now() - before) / 1_000).toFixed(1);
      const broken = await faults(store, size, dir);
      const where = POSTGRES_URL === null ? "SQLite" : "PostgreSQL";
      return {
        figure: `${where}, ${size} symbols, ${kills} kills (${killed[0]} of the process that began the run) in ${seconds} s: ${broken.length} lost, twice or different`,
        broken,
      };
    } finally {
      for (const { child, ended } of programs) {
        child.kill("SIGKILL");
        await ended;
      }
      await store.close();
      built.remove();
      remove();
    }
  },
};

/** Waits until that many rows are written. */
async function until({ db }: Store, rows: number, programs: readonly Program[]): Promise<void> {
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows: found } = await sql<{ count: number }>`SELECT count(*) AS count FROM written`.execute(db);
    if (Number(found[0]!.count) >= rows) return;
    if (performance.now() > giveUp)
      throw new Error(
        `Only ${found[0]!.count} rows were written: ${programs.map(({ seen }) => seen.err).join("\n")}`,
      );
    await sleep(5);
  }
}

/** Lists symbols that were lost or written twice, and rows that a run in one process does not have. */
async function faults(store: Store, size: number, dir: string): Promise<readonly string[]> {
  const { rows: written } = await sql<{ symbol: string; times: number }>`
    SELECT symbol, count(*) AS times FROM written GROUP BY symbol`.execute(store.db);
  const twice = written.filter(({ times }) => Number(times) !== 1);
  const results = await store.db.selectFrom("engine_results").select("symbol").execute();
  const rows = await runRepository({ db: store.db, market: "long" }).rows(RUN);
  const alone = await openJobsStore(join(dir, "alone"));
  const compute = inlineCompute();
  const engine = longEngine({ store: alone, compute, size, id: RUN });
  const { rows: expected } = await engine.run({ universe: { name: "all" } });
  await engine.close();
  await compute.close();
  await alone.close();
  const found = new Map(rows.map((row) => [row.symbol, JSON.stringify(row)]));
  return [
    ...twice.map(({ symbol, times }) => `${symbol} was written ${times} times`),
    ...expected.flatMap((row) =>
      found.get(row.symbol) === JSON.stringify(row)
        ? []
        : [`${row.symbol} is ${found.has(row.symbol) ? "different" : "lost"}`],
    ),
    ...(results.length === size ? [] : [`${results.length} of ${size} results`]),
  ];
}
