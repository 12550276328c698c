import { expect, it } from "vitest";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { MAX_ATTEMPTS } from "../../../src/domain/jobs-port.ts";
import { createEngine } from "../../../src/features/nightly/engine.ts";
import { SHARD } from "../../../src/features/nightly/shards.ts";
import { runHead, testEngine } from "../../support/engine.ts";
import { testJobs } from "../../support/jobs.ts";

const signal = new AbortController().signal;

/** What becomes of a shard of AAPL, of a run with this model that another process began. */
async function shardOf(model_version: string) {
  const { ports, db, repository, jobs } = await testEngine();
  const worker = createEngine({ ...ports, repository, jobs: testJobs({ ...ports, db, retryMs: 1 }) });
  await repository.begin(runHead({ model_version }));
  await jobs.replace(SHARD, "r1", [{ symbols: ["AAPL"] }]);
  worker.takeShards();
  const [shard] = await jobs.settled(SHARD, "r1", { signal, onChange() {} });
  await worker.close();
  return { shard, rows: await repository.rows("r1") };
}

it("a shard of a run that another process began is computed", async () => {
  const { shard, rows } = await shardOf(MODEL_VERSION);
  expect(shard).toMatchObject({ state: "done", attempts: 1, result: { failures: [] } });
  expect(rows).toMatchObject([{ symbol: "AAPL", model_version: MODEL_VERSION }]);
});

it("a shard of a run with another model is refused, so that one run has rows of one model", async () => {
  const { shard, rows } = await shardOf("consensus-1");
  expect(shard).toMatchObject({
    state: "dead",
    attempts: MAX_ATTEMPTS,
    error: `REFUSED: Run r1 is of model consensus-1, and this process has ${MODEL_VERSION}`,
  });
  expect(rows).toEqual([]);
});
