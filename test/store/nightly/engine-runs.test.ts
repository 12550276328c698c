import { describe, expect, it } from "vitest";
import { engineRuns } from "../../../src/store/nightly/engine-runs.ts";
import { runRepository } from "../../../src/store/nightly/run-repository.ts";
import { engineRow, runHead } from "../../support/engine.ts";
import { movingClock, testStore } from "../../support/store.ts";

const row = {
  run_id: "r1",
  run_at: "2026-01-14T22:00:00.000Z",
  market: "sample-1",
  symbol: "AAPL",
  timeframe: "1d",
  score: 71.5,
  grade: "B",
  direction: "LONG",
};

const clock = movingClock(new Date("2026-01-17T00:00:00Z"));

describe("results of scheduled runs", () => {
  it("are the newest of the symbol, the timeframe and the market", async () => {
    const { db } = await testStore();
    const newest = {
      ...row,
      run_id: "r2",
      run_at: "2026-01-15T22:00:00.000Z",
      score: null,
      grade: null,
      direction: "WAIT",
    };
    await db
      .insertInto("engine_results")
      .values([
        newest,
        row,
        { ...row, run_id: "r3", run_at: "2026-01-16T22:00:00.000Z", market: "live" },
        { ...row, run_id: "r4", run_at: "2026-01-16T22:00:00.000Z", timeframe: "4h" },
        { ...row, run_id: "r5", run_at: "2026-01-16T22:00:00.000Z", symbol: "MSFT" },
      ])
      .execute();
    expect(await engineRuns({ db, market: "sample-1", clock }).latest("AAPL", "1d")).toEqual({
      run_id: "r2",
      runAt: "2026-01-15T22:00:00.000Z",
      score: null,
      grade: null,
      direction: "WAIT",
    });
    expect(await engineRuns({ db, market: "live", clock }).latest("AAPL", "1d")).toMatchObject({
      run_id: "r3",
      score: 71.5,
    });
  });

  it("are null when no run has finished", async () => {
    const { db } = await testStore();
    expect(await engineRuns({ db, market: "sample-1", clock }).latest("AAPL", "1d")).toBeNull();
  });

  it("are ignored while they are in the future", async () => {
    const { db } = await testStore();
    const moving = movingClock(new Date("2026-01-15T23:00:00Z"));
    const runs = engineRuns({ db, market: "m", clock: moving });
    const repository = runRepository({ db, market: "m" });
    const ends = { now: "2026-01-15T22:00:00.000Z", ahead: "2026-12-31T22:00:00.000Z" };
    for (const [run_id, runAt] of Object.entries(ends)) {
      await repository.begin(runHead({ run_id }));
      await repository.write(run_id, [engineRow()]);
      await repository.finish(run_id, { runAt, failures: [], index: null });
    }
    const shown = async () => [
      (await runs.newest("1d", "stocks"))?.run_id,
      (await runs.latest("AAPL", "1d"))?.run_id,
    ];
    expect(await shown()).toEqual(["now", "now"]);
    moving.pass(351 * 86_400_000);
    expect(await shown()).toEqual(["ahead", "ahead"]);
  });
});
