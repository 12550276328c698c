import { expect, it } from "vitest";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { type JobStatus, MAX_ATTEMPTS } from "../../../src/domain/jobs-port.ts";
import { noPeers } from "../../../src/domain/peers-port.ts";
import { createFailedJobs } from "../../../src/features/nightly/failed-jobs.ts";
import { createScoring, OUTCOMES } from "../../../src/features/nightly/scoring.ts";
import { createTrack, type NightlyTrack } from "../../../src/features/nightly/track.ts";
import { createJobs } from "../../../src/jobs/jobs.ts";
import { jobQueue } from "../../../src/store/jobs.ts";
import { jobCounts } from "../../../src/store/queue-states.ts";
import { callRepository } from "../../../src/store/track-record/calls.ts";
import { trackRecord } from "../../../src/store/track-record/track-record.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { collectingLog } from "../../support/context.ts";
import { testEngine } from "../../support/engine.ts";
import { testJobs } from "../../support/jobs.ts";
import { testHash } from "../../support/keyed-hash.ts";
import { latch } from "../../support/latch.ts";
import { climbingBars, marketOf } from "../../support/market.ts";
import { testStore } from "../../support/store.ts";
import { loggedSignal } from "../../support/track.ts";

const RUN = "r1";
const bars = climbingBars();
const realClock = { now: () => new Date() };
/** Symbols of two batches, each with a decision whose outcomes after 5 and 20 bars are due. */
const SYMBOLS = Array.from({ length: 20 }, (_, i) => `S${i}`);
const decided_at = `${new Date(bars.time.at(-31)!).toISOString().slice(0, 10)}T21:00:00.000Z`;
const decisionOf = (symbol: string) =>
  loggedSignal({
    ...{ symbol, decided_at, model_version: MODEL_VERSION },
    ...{ close: bars.close.at(-31)!, stop: 1, target: 1_000 },
  });

/** A store with due decisions, and what each of its processes scores them with. */
async function world() {
  const { ports, requests } = marketOf({
    bars: Object.fromEntries(SYMBOLS.map((symbol) => [symbol, bars])),
  });
  const { db } = await testStore();
  const scope = { db, market: ports.market.id };
  const repository = trackRepository({ ...scope, clock: ports.clock });
  const queue = jobQueue({ ...scope, clock: realClock });
  await repository.log(SYMBOLS.map(decisionOf));
  const { log } = collectingLog();
  /** A process; `over` replaces what it reads, writes and takes jobs with. */
  const process = (over: Partial<Parameters<typeof createScoring>[0]> = {}) =>
    createScoring({
      ...ports,
      log,
      repository,
      jobs: testJobs({ ...ports, clock: realClock, db, leaseMs: 150, retryMs: 1 }),
      ...over,
    });
  const outcomes = () =>
    db.selectFrom("signal_outcomes").selectAll().orderBy("id").orderBy("horizon").execute();
  return { ports, requests, repository, queue, process, outcomes };
}

const request = (over: { readonly held?: readonly string[]; readonly maxRequests?: number } = {}) => ({
  now: Date.parse("2026-01-15T00:00:00Z"),
  signal: new AbortController().signal,
  held: new Set(over.held ?? []),
  maxRequests: over.maxRequests ?? Number.POSITIVE_INFINITY,
});

it("two processes score a batch each, and the sum is that of both", async () => {
  const { ports, repository, process, outcomes, queue } = await world();
  const alone = await world();
  const wrote = [0, 0];
  const bothRead = [latch(), latch()] as const;
  const [first, second] = ([0, 1] as const).map((which) =>
    process({
      bars: {
        async history(...args) {
          bothRead[which].open();
          await bothRead[1 - which]!.opened;
          return ports.bars.history(...args);
        },
      },
      repository: {
        ...repository,
        async score(found, claim) {
          wrote[which]! += found.length;
          return repository.score(found, claim);
        },
      },
    }),
  ) as [ReturnType<typeof process>, ReturnType<typeof process>];
  const stop = second.take();
  expect(await first.score(RUN, request())).toBe(2 * SYMBOLS.length);
  await stop();
  expect(wrote.sort((a, b) => a - b)).toEqual([8, 32]);
  expect(await queue.list(OUTCOMES, RUN)).toEqual([]);
  expect(await alone.process().score(RUN, request())).toBe(2 * SYMBOLS.length);
  expect(await outcomes()).toEqual(await alone.outcomes());
});

it("the batch of a process that was stopped is scored by another one, and stored once", async () => {
  const { ports, repository, queue, process, outcomes } = await world();
  const [holds, resumes] = [latch(), latch()];
  const late: (number | null)[] = [];
  const stopped = process({
    jobs: createJobs({
      queue: { ...queue, renew: async () => true },
      ...{ peers: noPeers, log: collectingLog().log, leaseMs: 150 },
    }),
    repository: {
      ...repository,
      async score(...args) {
        holds.open();
        await resumes.opened;
        late.push(await repository.score(...args));
        return late[0]!;
      },
    },
  });
  const stop = stopped.take();
  const other = process({
    bars: {
      async history(...args) {
        await holds.opened;
        return ports.bars.history(...args);
      },
    },
  });
  expect(await other.score(RUN, request())).toBe(2 * SYMBOLS.length);
  const stored = await outcomes();
  expect(stored).toHaveLength(2 * SYMBOLS.length);
  resumes.open();
  await stop();
  expect(late).toEqual([null]);
  expect(await outcomes()).toEqual(stored);
});

it("a batch that failed in each attempt is a failed job, and the run and the next one go on without it", async () => {
  let track: NightlyTrack | null = null;
  const { ports, db, engine } = await testEngine(
    { bars: Object.fromEntries(SYMBOLS.map((symbol) => [symbol, bars])) },
    { onFound: (found) => track!.afterRun(found) },
  );
  const scope = { db, market: ports.market.id };
  const repository = trackRepository({ ...scope, clock: ports.clock });
  await repository.log(SYMBOLS.map(decisionOf));
  const { log, lines } = collectingLog();
  let isBroken = true;
  track = createTrack({
    ...ports,
    log,
    calls: callRepository({ ...scope, clock: ports.clock, keyedHash: testHash(1) }),
    jobs: testJobs({ ...ports, db, retryMs: 1 }),
    repository: {
      ...repository,
      async score(found, claim) {
        // of the last four series
        if (isBroken && found.length === 8) throw new Error("no");
        return repository.score(found, claim);
      },
    },
  });
  const outcomes = async () => (await db.selectFrom("signal_outcomes").select("id").execute()).length;
  const queue = jobQueue({ ...scope, clock: ports.clock });
  const failedJobs = createFailedJobs({
    queue,
    counts: () => jobCounts(scope),
    resumable: engine.resumable,
  });

  const { head, runAt } = await engine.run({ universe: { name: "all" } });
  expect(runAt).not.toBeNull();
  const failed = { run: head.run_id, attempts: MAX_ATTEMPTS, error: "Error: no" };
  expect(await failedJobs.list(9)).toMatchObject([{ kind: OUTCOMES, ...failed }]);
  const warning = lines.find(({ event }) => event === "outcomes_failed");
  expect(warning?.fields).toEqual({ run_id: head.run_id, jobs: 1, error: "Error: no" });
  expect(await outcomes()).toBe(32);
  const published = () => trackRecord({ ...scope, model: MODEL_VERSION }).published("1d");
  expect(await published()).toMatchObject({ signals: 16 });

  isBroken = false;
  await engine.run({ universe: { name: "all" } });
  expect(await outcomes()).toBe(40);
  expect(await published()).toMatchObject({ signals: 20 });

  const [{ id }] = (await failedJobs.list(9)) as [JobStatus];
  expect(await failedJobs.retry(id)).toBe(
    "A server or worker does the job again, and the next nightly run publishes the track record.",
  );
  const stop = track.takeScoring();
  const results = async () => (await queue.list(OUTCOMES, head.run_id)).map(({ result }) => result);
  await expect.poll(results).toEqual([32, 0]);
  await stop();
  expect(await outcomes()).toBe(40);
});

it("the limit of requested series counts those of all processes, after those that are loaded", async () => {
  const { process, requests } = await world();
  const stop = process().take();
  await process().score(RUN, request({ held: ["S4", "S7"], maxRequests: 3 }));
  await stop();
  const read = requests.map(({ symbol }) => symbol);
  expect(new Set(read).size).toBe(5);
  expect(read).toHaveLength(5);
  expect(read).toEqual(expect.arrayContaining(["S4", "S7"]));
});

it("what was scored of an interrupted run counts when the run is resumed", async () => {
  const { process, queue } = await world();
  await queue.replace(OUTCOMES, RUN, [
    { now: request().now, series: [{ symbol: "S3", timeframe: "1d", since: decided_at }] },
  ]);
  const stop = process().take();
  await expect.poll(async () => (await queue.list(OUTCOMES, RUN))[0]!.result).toBe(2);
  await stop();
  expect(await process().score(RUN, request())).toBe(2 * SYMBOLS.length);
});
