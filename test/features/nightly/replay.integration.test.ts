import { describe, expect, it } from "vitest";
import { type JobStatus, MAX_ATTEMPTS } from "../../../src/domain/jobs-port.ts";
import { noPeers } from "../../../src/domain/peers-port.ts";
import type { ReplayRequest } from "../../../src/domain/track-record/track-port.ts";
import { createFailedJobs } from "../../../src/features/nightly/failed-jobs.ts";
import { createReplays, REPLAY, type ReplayPorts } from "../../../src/features/nightly/replay.ts";
import { openReplay } from "../../../src/features/nightly/replay-run.ts";
import { createJobs } from "../../../src/jobs/jobs.ts";
import { jobQueue } from "../../../src/store/jobs.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { collectingLog } from "../../support/context.ts";
import { testJobs } from "../../support/jobs.ts";
import { latch } from "../../support/latch.ts";
import { marketOf, wavingBars } from "../../support/market.ts";
import { testStore } from "../../support/store.ts";

const LEASE_MS = 2_000;
const realClock = { now: () => new Date() };
const bars = {
  AAPL: wavingBars({ count: 300 }),
  MSFT: wavingBars({ count: 300, shift: 30 }),
  "BTC-USD": wavingBars({ count: 310, zone: "UTC" }),
};

/** A store with what each of its processes replays closes with, in parts of ten signals. */
async function world() {
  const { ports } = marketOf({ bars });
  const { db } = await testStore();
  const repository = trackRepository({ db, market: ports.market.id, clock: ports.clock });
  const queue = jobQueue({ db, market: ports.market.id, clock: realClock });
  const { log, lines } = collectingLog();
  /** A process; `over` replaces what it reads, writes and takes jobs with. */
  const process = (over: Partial<ReplayPorts> = {}, partSize = 10) => {
    const jobs = testJobs({ ...ports, clock: realClock, db, leaseMs: LEASE_MS, retryMs: 1 });
    return createReplays({ ...ports, log, repository, jobs, ...over }, partSize);
  };
  const stored = async () => ({
    signals: await db.selectFrom("signals").selectAll().orderBy("id").execute(),
    forecasts: await db.selectFrom("odds_forecasts").selectAll().orderBy("id").execute(),
    outcomes: await db.selectFrom("signal_outcomes").selectAll().orderBy("id").orderBy("horizon").execute(),
    bases: await db.selectFrom("base_results").selectAll().orderBy("id").execute(),
  });
  return { ports, repository, queue, lines, process, stored };
}

const request = (over: Pick<ReplayRequest, "progress"> = {}) => ({
  ...({ universe: "all", every: 3, id: "replay" } as const),
  signal: new AbortController().signal,
  ...over,
});

/** Report and rows of a replay by one process in one part. */
async function alone() {
  const { process, stored } = await world();
  const report = await process({}, Number.POSITIVE_INFINITY).replay(request());
  return { report, rows: await stored() };
}

describe("a replay", () => {
  it("by two processes stores and reports exactly what one process does in one part", async () => {
    const { ports, repository, queue, process, stored } = await world();
    const wrote = [0, 0];
    const writes = [latch(), latch()] as const;
    const [first, second] = ([0, 1] as const).map((which) =>
      process({
        repository: {
          async endReplay(...args) {
            writes[which].open();
            await writes[1 - which]!.opened;
            wrote[which]!++;
            return repository.endReplay(...args);
          },
        },
      }),
    ) as [ReturnType<typeof process>, ReturnType<typeof process>];
    const steps: number[] = [];
    const progress: ReplayRequest["progress"] = ({ done, total, message }) => {
      if (message === "closes replayed") steps.push(done / total);
    };
    const stop = second.take();
    const report = await first.replay(request({ progress }));
    await stop();
    const expected = await alone();
    expect(report).toEqual(expected.report);
    expect(await stored()).toEqual(expected.rows);
    const { length } = (await openReplay(request(), ports)).parts(10);
    expect(length).toBeGreaterThan(4);
    expect(wrote[0]! + wrote[1]!).toBe(length);
    expect(Math.min(...wrote)).toBeGreaterThan(0);
    expect(steps.at(-1)).toBe(1);
    expect(await queue.list(REPLAY, "all")).toEqual([]);
  });

  it("stores the part of a process that was stopped once, and counts it once", async () => {
    const { repository, queue, process, stored } = await world();
    const [holds, resumes] = [latch(), latch()];
    const late: boolean[] = [];
    const stopped = process({
      jobs: createJobs({
        queue: { ...queue, renew: async () => true },
        ...{ peers: noPeers, log: collectingLog().log, leaseMs: LEASE_MS },
      }),
      repository: {
        async endReplay(...args) {
          holds.open();
          await resumes.opened;
          late.push(await repository.endReplay(...args));
          return late.at(-1)!;
        },
      },
    });
    const other = process({
      repository: {
        async endReplay(...args) {
          await holds.opened;
          return repository.endReplay(...args);
        },
      },
    });
    const stop = stopped.take();
    const report = await other.replay(request());
    const rows = await stored();
    resumes.open();
    await stop();
    expect(late).toEqual([false]);
    const expected = await alone();
    expect(report).toEqual(expected.report);
    expect(rows).toEqual(expected.rows);
    expect(await stored()).toEqual(rows);
  });

  it("has no part computed by a process that reads other bars, and is not delayed by it", async () => {
    const { ports, process, stored, lines, repository } = await world();
    const refused = latch();
    const { log } = collectingLog();
    const other = process({
      log: { ...log, warn: (event) => event === "replay_differs" && refused.open() },
      bars: {
        async history(instrument, of) {
          if (instrument.symbol === "MSFT") throw new Error("no file");
          return ports.bars.history(instrument, of);
        },
      },
      repository: { endReplay: () => Promise.reject(new Error("not expected")) },
    });
    const own = process({
      repository: {
        async endReplay(...args) {
          await refused.opened;
          return repository.endReplay(...args);
        },
      },
    });
    const stop = other.take();
    const report = await own.replay(request());
    await stop();
    const expected = await alone();
    expect(report).toEqual(expected.report);
    expect(await stored()).toEqual(expected.rows);
    expect(lines).toEqual([]);
  });

  it("that is cancelled, or fails in each attempt, leaves no jobs", async () => {
    const { process, queue } = await world();
    const stop = new AbortController();
    const progress: ReplayRequest["progress"] = ({ message }) => {
      if (message === "closes replayed") stop.abort();
    };
    const cancelled = process().replay({ ...request({ progress }), signal: stop.signal });
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
    expect(await queue.list(REPLAY, "all")).toEqual([]);
    let attempts = 0;
    const broken = process({
      repository: {
        async endReplay() {
          attempts++;
          throw new Error("no");
        },
      },
    });
    await expect(broken.replay(request())).rejects.toMatchObject({
      code: "CONFLICT",
      message: "A part of the replay over all failed each time: Error: no",
    });
    expect(attempts).toBeGreaterThanOrEqual(MAX_ATTEMPTS);
    expect(await queue.list(REPLAY, "all")).toEqual([]);
  });

  it("replaces an earlier one over the same universe, which ends", async () => {
    const { process, stored, repository } = await world();
    const [holds, resumes] = [latch(), latch()];
    const first = process({
      repository: {
        async endReplay(...args) {
          holds.open();
          await resumes.opened;
          return repository.endReplay(...args);
        },
      },
    }).replay({ ...request(), id: "earlier" });
    const rejected = expect(first).rejects.toMatchObject({ code: "CONFLICT" });
    await holds.opened;
    const second = process().replay(request());
    await expect.poll(async () => (await stored()).signals.length).toBeGreaterThan(0);
    resumes.open();
    await rejected;
    const expected = await alone();
    expect(await second).toEqual(expected.report);
    expect(await stored()).toEqual(expected.rows);
  });

  it("is not reported as done if its parts were removed", async () => {
    const { process, queue, repository } = await world();
    const [holds, resumes] = [latch(), latch()];
    const replay = process({
      repository: {
        async endReplay(...args) {
          holds.open();
          await resumes.opened;
          return repository.endReplay(...args);
        },
      },
    }).replay(request());
    const rejected = expect(replay).rejects.toMatchObject({ code: "CONFLICT" });
    await holds.opened;
    await queue.remove(REPLAY, "all");
    setTimeout(resumes.open, 1_500);
    await rejected;
  });

  it("whose command was killed leaves failed parts that a worker does again", async () => {
    const { ports, process, queue, stored } = await world();
    const { content, parts } = await openReplay(request(), ports);
    const [part] = parts(10);
    await queue.replace(REPLAY, "all", [{ ...part, universe: "all", every: 3, id: "killed", content }]);
    await queue.fail((await queue.take(REPLAY, "a", 60_000))!, "no", { isFinal: true });
    const failedJobs = createFailedJobs({ queue, counts: async () => [], resumable: async () => null });
    const [{ id }] = (await failedJobs.list(9)) as [JobStatus];
    expect(await failedJobs.retry(id)).toBe(
      "A worker does the job again. Start the replay again to publish the track record.",
    );
    const stop = process().take();
    await expect
      .poll(async () => (await queue.list(REPLAY, "all"))[0]!.state, { timeout: 20_000 })
      .toBe("done");
    await stop();
    expect(new Set((await stored()).signals.map(({ run_id }) => run_id))).toEqual(new Set(["killed"]));
  });
});
