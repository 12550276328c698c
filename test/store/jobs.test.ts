import { expect, it } from "vitest";
import { MAX_ATTEMPTS } from "../../src/domain/jobs-port.ts";
import { jobQueue } from "../../src/store/jobs.ts";
import { runRepository } from "../../src/store/nightly/run-repository.ts";
import { jobCounts } from "../../src/store/queue-states.ts";
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
  const counts = () => jobCounts({ db, market: "sample" });
  return { db, clock, queue, take, counts };
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
  const { queue, take, counts } = await queueOf(["first"]);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const job = await take();
    expect(job).toMatchObject({ attempts: attempt });
    await queue.fail(job!, "STORAGE_BUSY: locked");
  }
  expect(await take()).toBeNull();
  expect(await counts()).toEqual([{ kind: KIND, state: "dead", count: 1 }]);
  const [dead] = await queue.dead(9);
  expect(dead).toMatchObject({ run: "r1", error: "STORAGE_BUSY: locked", attempts: MAX_ATTEMPTS });
  expect(await queue.findDead(dead!.id)).toEqual(dead);
  expect(await queue.retry(dead!.id + 1, null)).toBe(false);
  expect(await queue.retry(dead!.id, null)).toBe(true);
  expect(await queue.retry(dead!.id, null)).toBe(false);
  expect(await queue.findDead(dead!.id)).toBeNull();
  expect(await take()).toMatchObject({ payload: "first", attempts: 1 });
});

it("a final failure makes a job dead at once", async () => {
  const { queue, take } = await queueOf(["first"]);
  await queue.fail((await take())!, "REFUSED: no", { isFinal: true });
  expect(await queue.dead(9)).toMatchObject([{ error: "REFUSED: no", attempts: 1 }]);
});

it("a retry adds once what has to be done after it", async () => {
  const { queue, take } = await queueOf(["first", "second"]);
  const after = { kind: "finish", run: "r1", payload: 7 };
  const finish = () => queue.take("finish", "a", LEASE_MS);
  const kill = async () => queue.fail((await take())!, "no", { isFinal: true });
  await kill();
  await kill();
  const [second, first] = await queue.dead(9);
  expect(await queue.retry(first!.id, after)).toBe(true);
  expect(await queue.retry(second!.id, after)).toBe(true);
  const job = await finish();
  expect(job).toMatchObject({ run: "r1", payload: 7 });
  expect(await finish()).toBeNull();
  await queue.fail(job!, "no", { isFinal: true });
  await kill();
  expect(await queue.retry(first!.id, after)).toBe(true);
  expect(await finish()).toMatchObject({ attempts: 1, payload: 7 });
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
  const { queue, take, counts } = await queueOf(["first"]);
  const former = await take();
  await queue.replace(KIND, "r1", ["again"]);
  expect(await queue.end(former!, null)).toBe(false);
  expect((await queue.list(KIND, "r1")).map(({ payload, state }) => [payload, state])).toEqual([
    ["again", "pending"],
  ]);
  await queue.remove(KIND, "r1");
  expect(await counts()).toEqual([]);
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
