import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MODEL_VERSION } from "../../src/analytics/score/consensus.ts";
import { MAX_ATTEMPTS } from "../../src/domain/jobs-port.ts";
import { sampleMarketId } from "../../src/providers/sample/market.ts";
import { jobQueue } from "../../src/store/jobs.ts";
import { runRepository } from "../../src/store/nightly/run-repository.ts";
import type { Store } from "../../src/store/store.ts";
import { openJobsStore, realClock } from "../proofs/jobs-store.ts";
import { type Compiled, compile } from "../support/compiled.ts";
import { runHead } from "../support/engine.ts";
import { createDatabase, POSTGRES_URL } from "../support/postgres.ts";
import { runProgram, start } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";

const { dir, remove } = suiteDir();
const market = sampleMarketId(undefined);
const KIND = "nightly_shard";
let built: Compiled;
let store: Store;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  built = await compile();
  const url = POSTGRES_URL === null ? null : await createDatabase(POSTGRES_URL);
  store = await openJobsStore(url ?? join(dir, "data"));
  env = { DATA_DIR: join(dir, "data"), HOME: dir, ...(url !== null && { DATABASE_URL: url }) };
}, 60_000);
afterAll(async () => {
  await store.close();
  built.remove();
  remove();
});

const queueOf = () => jobQueue({ db: store.db, market, clock: realClock });

it("a worker computes a part of a run that another process began, and ends at SIGTERM", async () => {
  const runs = runRepository({ db: store.db, market });
  const as_of = `${new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;
  await runs.begin(runHead({ members: ["AAPL", "NOPE"], as_of, model_version: MODEL_VERSION }));
  await queueOf().replace(KIND, "r1", [{ symbols: ["AAPL", "NOPE"] }]);
  const worker = start([...built.product, "worker"], env);
  await worker.says(/worker: does jobs of the servers on /);
  const ended = async () => (await queueOf().list(KIND, "r1"))[0];
  await expect.poll(async () => (await ended())?.state, { timeout: 45_000 }).toBe("done");
  const failures = [{ symbol: "NOPE", code: "UNKNOWN_SYMBOL", message: "Unknown symbol: NOPE" }];
  expect(await ended()).toMatchObject({ attempts: 1, error: null, result: { failures } });
  expect(await runs.rows("r1")).toMatchObject([{ symbol: "AAPL", as_of }]);
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
});

it("a worker refuses a folder without a database", async () => {
  const folder = join(dir, "none");
  const { code, err } = await runProgram([...built.product, "worker"], { DATA_DIR: folder, HOME: dir });
  expect({ code, err }).toEqual({
    code: 2,
    err: `market-signal: There is no database in ${folder}: a worker does jobs of the servers on this folder. Start the server first, or set DATABASE_URL or DATA_DIR to those of the servers\n`,
  });
  expect(existsSync(folder)).toBe(false);
});

it("the command lists a job that failed in each attempt, and refuses one whose run does not exist", async () => {
  const queue = queueOf();
  await queue.replace(KIND, "r2", [{ symbols: ["AAPL"] }]);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    await queue.fail((await queue.take(KIND, "test", 60_000))!, "STORAGE_BUSY: The database is locked");
  const listed = await runProgram([...built.product, "jobs"], env);
  expect(listed.out).toMatch(
    /nightly_shard dead 1\n(.*\n)*2 nightly_shard of run r2, 5 attempts: STORAGE_BUSY: /,
  );
  const { id } = (await queue.dead(1))[0]!;
  // the run of this part was never begun
  expect((await runProgram([...built.product, "jobs", "--retry", `${id}`], env)).err).toContain(
    "The run r2 is finished or out of date and cannot be resumed",
  );
});
