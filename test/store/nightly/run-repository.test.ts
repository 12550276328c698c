import { describe, expect, it } from "vitest";
import { engineRuns } from "../../../src/store/nightly/engine-runs.ts";
import { runRepository } from "../../../src/store/nightly/run-repository.ts";
import { engineRow, runHead } from "../../support/engine.ts";
import { movingClock, testStore } from "../../support/store.ts";

const end = (runAt: string) => ({ runAt, failures: [], index: null });
const stocksAndCoin = ["AAPL", "BTC-USD"].map((symbol) => engineRow({ symbol }));
const clock = movingClock(new Date("2028-01-01T00:00:00Z"));
const openFixture = async (market = "m") => {
  const { db } = await testStore();
  return { db, repository: runRepository({ db, market }), runs: engineRuns({ db, market, clock }) };
};

describe("the repository of runs", () => {
  it("publishes a run as a whole once it is finished", async () => {
    const { repository, runs } = await openFixture();
    await repository.begin(runHead());
    await repository.write("r1", stocksAndCoin);
    expect(await runs.newest("1d", "stocks")).toBeNull();
    expect(await runs.latest("AAPL", "1d")).toBeNull();
    expect(await repository.unfinished(runHead())).toEqual(runHead());
    const failures = [{ symbol: "NVDA", code: "NOT_ENOUGH_DATA", message: "Too few" }];
    await repository.finish("r1", { ...end("2026-01-15T15:01:00.000Z"), failures });
    expect(await repository.unfinished(runHead())).toBeNull();
    expect(await runs.newest("1d", "stocks")).toEqual({
      ...runHead(),
      runAt: "2026-01-15T15:01:00.000Z",
      rows: [engineRow()],
      failures,
      index: null,
    });
    expect(await runs.newest("1d", "crypto")).toMatchObject({ rows: [{ symbol: "BTC-USD" }], failures: [] });
    expect(await runs.latest("BTC-USD", "1d")).toEqual({
      run_id: "r1",
      runAt: "2026-01-15T15:01:00.000Z",
      score: 50,
      grade: "C",
      direction: "WAIT",
    });
  });

  it("stores the first of two results of a symbol, and the first end of a run", async () => {
    const { repository, runs } = await openFixture();
    await repository.begin(runHead());
    await repository.write("r1", [engineRow({ close: 1 })]);
    await repository.write("r1", [engineRow({ close: 2 }), engineRow({ symbol: "MSFT" })]);
    expect((await repository.rows("r1")).map(({ symbol, close }) => [symbol, close])).toEqual([
      ["AAPL", 1],
      ["MSFT", 100],
    ]);
    await repository.finish("r1", end("2026-01-15T15:01:00.000Z"));
    await repository.finish("r1", end("2026-01-15T15:02:00.000Z"));
    expect((await runs.newest("1d", "stocks"))?.runAt).toBe("2026-01-15T15:01:00.000Z");
  });

  it("returns the newest run of each kind: of all symbols or of that kind, never of a file", async () => {
    const { repository, runs } = await openFixture();
    for (const [i, universe] of ["all", "crypto", "file:mine", "sp500"].entries()) {
      await repository.begin(runHead({ run_id: universe, universe }));
      await repository.write(universe, stocksAndCoin);
      await repository.finish(universe, end(`2026-01-15T15:0${i}:00.000Z`));
      expect((await runs.newest("1d", "stocks"))?.run_id).toBe(universe === "sp500" ? "sp500" : "all");
      expect((await runs.newest("1d", "crypto"))?.run_id).toBe(i === 0 ? "all" : "crypto");
    }
  });

  it("separates markets, and ignores invalid rows", async () => {
    const { db, repository, runs } = await openFixture();
    await repository.begin(runHead());
    await repository.write("r1", [engineRow(), engineRow({ symbol: "MSFT" })]);
    await db.updateTable("engine_rows").set({ json: "{}" }).where("symbol", "=", "MSFT").execute();
    await repository.finish("r1", end("2026-01-15T15:01:00.000Z"));
    expect((await runs.newest("1d", "stocks"))?.rows).toEqual([engineRow()]);
    const other = { db, market: "other" };
    expect(await engineRuns({ ...other, clock }).newest("1d", "stocks")).toBeNull();
    expect(await runRepository(other).status(9)).toEqual([]);
    expect(await runRepository(other).unfinished(runHead())).toBeNull();
  });

  it("returns stored ranks exactly, and keeps the first ones", async () => {
    const { repository } = await openFixture();
    const ranks = { kind: "stocks", time: 5, hash: "h", returns: { AAPL: 0.1 + 0.2, SPY: -1 / 3 } } as const;
    await repository.saveRanks("r1", [ranks]);
    await repository.saveRanks("r1", [{ ...ranks, returns: {} }]);
    expect(await repository.ranks("r1")).toEqual([ranks]);
  });

  it("deletes the rows of all but 30 runs of a universe, and runs stopped a week ago", async () => {
    const { db, repository } = await openFixture();
    const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
    await repository.begin(runHead({ run_id: "stopped", started_at: at(1) }));
    await repository.begin(runHead({ run_id: "coins", universe: "crypto", started_at: at(1) }));
    await repository.write("coins", [engineRow()]);
    for (let day = 2; day <= 33; day++) {
      await repository.begin(runHead({ run_id: `day-${day}`, started_at: at(day) }));
      await repository.write(`day-${day}`, [engineRow()]);
      await repository.finish(`day-${day}`, end(at(day)));
    }
    const stored = await db.selectFrom("engine_rows").select("run_id").execute();
    expect(stored).toHaveLength(31);
    const names = stored.map(({ run_id }) => run_id);
    expect(names).not.toContain("day-3");
    expect(names).toEqual(expect.arrayContaining(["coins", "day-4", "day-33"]));
    const heads = (await repository.status(99)).map(({ run_id }) => run_id);
    expect(heads).toHaveLength(33);
    const long = (await repository.status(99)).find(({ run_id }) => run_id === "day-2");
    expect(long, "what it came to stays").toMatchObject({ members: 3, rows: 1, failures: 2 });
    expect(heads).not.toContain("stopped");
  });

  it("lists runs with their counts, newest first", async () => {
    const { repository } = await openFixture();
    await repository.begin(runHead());
    await repository.begin(runHead({ run_id: "r2", started_at: "2026-01-16T15:00:00.000Z" }));
    await repository.write("r1", stocksAndCoin);
    const failures = [{ symbol: "NVDA", code: "INTERNAL", message: "No" }];
    await repository.finish("r1", { ...end("2026-01-15T15:01:00.000Z"), failures });
    expect(await repository.status(9)).toMatchObject([
      { run_id: "r2", runAt: null, members: 3, rows: 0, failures: 0 },
      { run_id: "r1", runAt: "2026-01-15T15:01:00.000Z", members: 3, rows: 2, failures: 1 },
    ]);
    expect(await repository.status(1)).toHaveLength(1);
  });
});
