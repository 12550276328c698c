import { expect, it } from "vitest";
import type { RunStatus } from "../../../src/domain/nightly/run-repository-port.ts";
import { createEngine, type NightlyEngine } from "../../../src/features/nightly/engine.ts";
import { createFailedJobs } from "../../../src/features/nightly/failed-jobs.ts";
import { RESUME } from "../../../src/features/nightly/resume-run.ts";
import { SHARD } from "../../../src/features/nightly/shards.ts";
import { jobQueue } from "../../../src/store/jobs.ts";
import { jobCounts } from "../../../src/store/queue-states.ts";
import { runHead, testEngine } from "../../support/engine.ts";
import { testJobs } from "../../support/jobs.ts";

const all = { name: "all" } as const;
const PATIENT = { timeout: 60_000 };

/** Two processes on one database after a run of the first one, in which no rows could be written until `mend` is called. */
async function brokenRun() {
  const { ports, db, repository } = await testEngine();
  let isBroken = true;
  const written: typeof repository = {
    ...repository,
    write: (...args) => {
      if (isBroken) throw new Error("no");
      return repository.write(...args);
    },
  };
  const [one, two] = [1, 2].map(() => testJobs({ ...ports, db, retryMs: 1 }));
  const [first, second] = [one!, two!].map((jobs) =>
    createEngine({ ...ports, repository: written, jobs }),
  ) as [NightlyEngine, NightlyEngine];
  const scope = { db, market: ports.market.id };
  const queue = jobQueue({ ...scope, clock: ports.clock });
  const failedJobs = createFailedJobs({
    queue: { ...queue, retry: two!.retry },
    counts: () => jobCounts(scope),
    resumable: first.resumable,
  });
  const mend = () => {
    isBroken = false;
  };
  await expect(first.run({ universe: all })).rejects.toThrow(/^no$/);
  await first.close();
  const [{ run_id }] = (await repository.status(1)) as [RunStatus];
  await queue.replace(SHARD, run_id, [{ symbols: ["AAPL"] }]);
  await queue.fail((await queue.take(SHARD, "a", 60_000))!, "Error: no", { isFinal: true });
  return { run_id, second, repository, queue, failedJobs, mend };
}

it("a retry of the failed part of a run that has ended finishes the run, in the process with the schedule", async () => {
  const { run_id, second, repository, queue, failedJobs, mend } = await brokenRun();
  const [dead] = await failedJobs.list(9);
  expect(dead).toMatchObject({ kind: SHARD, run: run_id, error: "Error: no" });
  mend();
  expect(await failedJobs.retry(dead!.id)).toBe(
    "Servers and workers do the job again, and a server finishes the run over all.",
  );
  const stop = second.start();
  await expect
    .poll(async () => (await repository.status(9)).map(({ runAt }) => runAt), PATIENT)
    .not.toContain(null);
  expect(await repository.status(9)).toMatchObject([{ run_id, rows: 4, failures: 0 }]);
  await expect.poll(() => queue.list(RESUME, dead!.run), PATIENT).toMatchObject([{ state: "done" }]);
  await stop();
  await expect(failedJobs.retry(dead!.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("a run that fails again is a failed job with the reason, and so are its parts", async () => {
  const { second, queue, failedJobs } = await brokenRun();
  const [dead] = await failedJobs.list(9);
  await queue.retry(dead!.id, { kind: RESUME, run: dead!.run, payload: null });
  const stop = second.start();
  await expect.poll(async () => (await queue.list(RESUME, dead!.run))[0]?.state, PATIENT).toBe("dead");
  expect((await failedJobs.list(9)).map(({ kind }) => kind).sort()).toEqual([RESUME, SHARD]);
  await stop();
});

it("a job of a run that is out of date is refused with what to do instead", async () => {
  const { repository, queue, failedJobs } = await brokenRun();
  await repository.begin(runHead());
  await queue.replace(SHARD, "r1", [{ symbols: ["AAPL"] }]);
  await queue.fail((await queue.take(SHARD, "a", 60_000))!, "no", { isFinal: true });
  const [dead] = await failedJobs.list(9);
  await expect(failedJobs.retry(dead!.id)).rejects.toMatchObject({
    code: "REFUSED",
    command: "market-signal engine run",
  });
});
