import { expect, it } from "vitest";
import { MAX_ATTEMPTS } from "../../src/domain/jobs-port.ts";
import { jobQueue } from "../../src/store/jobs.ts";
import { runRepository } from "../../src/store/nightly/run-repository.ts";
import { engineRow, runHead } from "../support/engine.ts";
import { movingClock, testStore } from "../support/store.ts";

const KIND = "nightly_shard";
const LEASE_MS = 60_000;
const DAY = 86_400_000;

async function queueOf(payloads: readonly unknown[]) {
  const { db } = await testStore();
  const clock = movingClock();
  const queue = jobQueue({ db, market: "sample", clock });
  await queue.replace(KIND, "r1", payloads);
  const take = (owner = "a") => queue.take(KIND, owner, LEASE_MS);
  return { db, clock, queue, take };
}

it("a job is taken by one process, in the order in which they were added, and of its kind and market only", async () => {
  const { db, clock, queue, take } = await queueOf(["first", "second"]);
  expect(await take()).toMatchObject({ run: "r1", payload: "first", attempts: 1, token: 1 });
  expect(await queue.take("other", "a", LEASE_MS)).toBeNull();
  expect(await jobQueue({ db, market: "files", clock }).take(KIND, "a", LEASE_MS)).toBeNull();
  const taken = await Promise.all([take("a"), take("b"), take("c")]);
  expect(taken.flatMap((job) => job?.payload ?? [])).toEqual(["second"]);
});

it("the job of a process that ended is taken by another one after its lease, after those not tried yet", async () => {
  const { clock, queue, take } = await queueOf(["first", "second"]);
  const former = await take("a");
  clock.pass(LEASE_MS - 1);
  expect(await queue.renew(former!, LEASE_MS)).toBe(true);
  clock.pass(LEASE_MS);
  expect(await take("b")).toMatchObject({ payload: "second" });
  expect(await take("b")).toMatchObject({ id: former!.id, payload: "first", attempts: 2, token: 2 });
  expect(await queue.renew(former!, LEASE_MS)).toBe(false);
});

it("the result of a process that another one has replaced is not written", async () => {
  const { db, clock, queue, take } = await queueOf(["first"]);
  const runs = runRepository({ db, market: "sample" });
  await runs.begin(runHead());
  const former = await take("a");
  clock.pass(LEASE_MS);
  const next = await take("b");
  const write = (claim: typeof next, close: number) =>
    runs.write("r1", [engineRow({ close })], { claim: claim!, result: { failures: [] }, now: clock.now() });
  expect(await write(former, 1)).toBe(false);
  expect(await write(next, 2)).toBe(true);
  expect(await write(next, 3)).toBe(false);
  expect((await runs.rows("r1")).map(({ close }) => close)).toEqual([2]);
  expect(await queue.list(KIND, "r1")).toMatchObject([
    { state: "done", result: { failures: [] }, attempts: 2, error: null },
  ]);
});

it("a job that fails in each attempt is dead until it is retried", async () => {
  const { queue, take } = await queueOf(["first"]);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const job = await take();
    expect(job).toMatchObject({ attempts: attempt });
    await queue.fail(job!, "STORAGE_BUSY: locked");
  }
  expect(await take()).toBeNull();
  expect(await queue.counts()).toEqual({ dead: 1 });
  const [dead] = await queue.dead(9);
  expect(dead).toMatchObject({ run: "r1", error: "STORAGE_BUSY: locked", attempts: MAX_ATTEMPTS });
  expect(await queue.retry(dead!.id + 1)).toBe(false);
  expect(await queue.retry(dead!.id)).toBe(true);
  expect(await queue.retry(dead!.id)).toBe(false);
  expect(await take()).toMatchObject({ payload: "first", attempts: 1 });
});

it("a job that is given back does not count as an attempt", async () => {
  const { queue, take } = await queueOf(["first"]);
  const job = await take();
  await queue.release(job!);
  expect(await take("b")).toMatchObject({ attempts: 1, token: 2 });
  await queue.release(job!); // of a former process
  expect(await take("c")).toBeNull();
});

it("new jobs of a run replace its former ones, whose processes can no longer end them", async () => {
  const { queue, take } = await queueOf(["first"]);
  const former = await take();
  await queue.replace(KIND, "r1", ["again"]);
  expect(await queue.end(former!, null)).toBe(false);
  expect((await queue.list(KIND, "r1")).map(({ payload, state }) => [payload, state])).toEqual([
    ["again", "pending"],
  ]);
  await queue.remove(KIND, "r1");
  expect(await queue.counts()).toEqual({});
});

it("jobs of runs that were never finished are deleted after two days, dead ones after 30", async () => {
  const { clock, queue, take } = await queueOf(["dead"]);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) await queue.fail((await take())!, "no");
  await queue.replace(KIND, "r2", ["open"]);
  const left = async () => {
    await queue.replace(KIND, "r3", []);
    return (await Promise.all(["r1", "r2"].map((run) => queue.list(KIND, run)))).map(({ length }) => length);
  };
  clock.pass(2 * DAY);
  expect(await left()).toEqual([1, 1]);
  clock.pass(1);
  expect(await left()).toEqual([1, 0]);
  clock.pass(28 * DAY);
  expect(await left()).toEqual([0, 0]);
});
