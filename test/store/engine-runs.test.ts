import { describe, expect, it } from "vitest";
import { engineRuns } from "../../src/store/engine-runs.ts";
import { testStore } from "../support/store.ts";

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
    expect(await engineRuns({ db, market: "sample-1" }).latest("AAPL", "1d")).toEqual({
      run_id: "r2",
      runAt: "2026-01-15T22:00:00.000Z",
      score: null,
      grade: null,
      direction: "WAIT",
    });
    expect(await engineRuns({ db, market: "live" }).latest("AAPL", "1d")).toMatchObject({
      run_id: "r3",
      score: 71.5,
    });
  });

  it("are null where no run has finished", async () => {
    const { db } = await testStore();
    expect(await engineRuns({ db, market: "sample-1" }).latest("AAPL", "1d")).toBeNull();
  });
});
