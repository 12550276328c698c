import { expect, it } from "vitest";
import { type JobHandler, MAX_ATTEMPTS } from "../../src/domain/jobs-port.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { collectingLog, stoppedClock } from "../support/context.ts";
import { testJobs } from "../support/jobs.ts";
import { testStore } from "../support/store.ts";

const KIND = "part";
const signal = new AbortController().signal;

async function processes(count: number) {
  const { db } = await testStore();
  const { log, lines } = collectingLog();
  const of = () => testJobs({ db, market: { id: "sample" }, clock: stoppedClock(), log, retryMs: 1 });
  return { all: Array.from({ length: count }, of), lines };
}

it("does each job once, in two processes, and reports the ones that ended", async () => {
  const { all } = await processes(2);
  const [one, two] = all;
  const done: unknown[] = [];
  const handler: JobHandler = async (job) => {
    done.push(job.payload);
    return one!.end(job, { of: job.payload });
  };
  const stops = all.map((jobs) => jobs.work(KIND, handler, { concurrency: 3 }));
  const payloads = Array.from({ length: 20 }, (_, i) => i);
  await two!.replace(KIND, "r1", payloads);
  const seen: number[] = [];
  const ended = await two!.settled(KIND, "r1", {
    signal,
    onChange: (jobs) => seen.push(jobs.filter(({ state }) => state === "done").length),
  });
  expect([...done].sort((a, b) => Number(a) - Number(b))).toEqual(payloads);
  expect(ended.map(({ result }) => result)).toEqual(payloads.map((of) => ({ of })));
  expect(seen.at(-1)).toBe(20);
  expect(new Set(seen).size).toBe(seen.length);
  for (const stop of stops) await stop();
});

it("tries a job that fails again, and reports it as dead after the last attempt", async () => {
  const { all, lines } = await processes(1);
  const [jobs] = all;
  let attempts = 0;
  const handler: JobHandler = async (job) => {
    attempts++;
    if (job.payload === "good" && job.attempts === 2) return jobs!.end(job, null);
    throw new ToolError("STORAGE_BUSY", "The database is locked");
  };
  await jobs!.replace(KIND, "r1", ["good", "bad"]);
  const stop = jobs!.work(KIND, handler, { concurrency: 1 });
  const ended = await jobs!.settled(KIND, "r1", { signal, onChange() {} });
  expect(ended.map(({ state, error }) => [state, error])).toEqual([
    ["done", "STORAGE_BUSY: The database is locked"],
    ["dead", "STORAGE_BUSY: The database is locked"],
  ]);
  expect(attempts).toBe(2 + MAX_ATTEMPTS);
  expect(lines.filter(({ event }) => event === "job_failed")).toHaveLength(1 + MAX_ATTEMPTS);
  await stop();
});

it("gives the jobs back when it stops", async () => {
  const { all } = await processes(2);
  const [one, two] = all;
  await one!.replace(KIND, "r1", ["long"]);
  let began = () => {};
  const taken = new Promise<void>((resolve) => {
    began = resolve;
  });
  const stop = one!.work(
    KIND,
    (_, ending) =>
      new Promise((_resolve, reject) => {
        ending.addEventListener("abort", () => reject(new Error("ends")));
        began();
      }),
    { concurrency: 1 },
  );
  await taken;
  await stop();
  const other = two!.work(KIND, (job) => two!.end(job, job.attempts), { concurrency: 1 });
  const [job] = await two!.settled(KIND, "r1", { signal, onChange() {} });
  expect(job).toMatchObject({ state: "done", result: 1, error: null });
  await other();
});
