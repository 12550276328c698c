import { describe, expect, it } from "vitest";
import type { ScreenRow } from "../../src/domain/nightly/scan.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { screenUniverse } from "../../tools/screen-universe.ts";
import { pro, stoppedClock } from "../support/context.ts";
import { engineRunOver, runsOf } from "../support/engine-runs.ts";
import { smallMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const market = smallMarket().ports;
const run = await engineRunOver(market);
const ports = { ...market, engineRuns: runsOf(run) };
const ask = (input: unknown = {}, over: Partial<typeof ports> = {}) =>
  invoke(screenUniverse, input, { ports: { ...ports, ...over }, principal: pro, transport: "test" });

describe("screen_universe", () => {
  it("lists the newest run by score with its action cards, and identifies the run", async () => {
    const { results, total, runs, universe, notes, next_cursor } = await ask();
    expect(total).toBe(run.rows.filter(({ score }) => score !== null).length);
    expect(total).toBeGreaterThan(5);
    const scores = results.map(({ overallScore }) => overallScore);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect({ universe, notes, next_cursor }).toEqual({ universe: "all", notes: [], next_cursor: null });
    expect(runs).toEqual([
      {
        run_id: run.run_id,
        universe: "all",
        universe_hash: run.universe_hash,
        runAt: "2026-01-15T00:11:00.000Z",
        as_of: "2026-01-15T00:00:00.000Z",
        bars_as_of: "2026-01-15T00:00:00.000Z",
        members: run.members.length,
        computed: run.members.length,
        failed: 0,
        unscored: run.rows.length - total,
        stale: false,
        source: "fixture",
      },
    ]);
    const apple = results.find(({ symbol }) => symbol === "AAPL");
    expect(apple).toMatchObject({
      tier: "HOT",
      bias: "LONG",
      grade: "A+",
      sector: "Information Technology",
      actionCard: { entry: 137.63, stop: 135.87, target: 141.63, levels_basis: "signal", side: "LONG" },
    });
  });

  it.each<[object, (row: ScreenRow) => boolean]>([
    [{ bias: "SHORT" }, ({ bias }) => bias === "SHORT"],
    [{ tier: "HOT" }, ({ tier }) => tier === "HOT"],
    [{ grade: "A+" }, ({ grade }) => grade === "A+"],
    [{ stage: 2 }, ({ stage }) => stage === 2],
    [{ phase: "Undetermined" }, ({ phase }) => phase === "Undetermined"],
    [{ min_score: 60 }, ({ overallScore }) => overallScore >= 60],
    [{ asset_class: "crypto" }, ({ asset_class }) => asset_class === "crypto"],
    [
      { sector: "information technology", rules: "sector = Technology and sector = XLK" },
      ({ sector }) => sector === "Information Technology",
    ],
  ])("returns what passes %j", async (filter, passes) => {
    const { results: all } = await ask({ limit: 100 });
    const { results, total } = await ask({ ...filter, limit: 100 });
    expect(results).toEqual(all.filter(passes));
    expect(total).toBe(results.length);
    expect(total).toBeGreaterThan(0);
  });

  it("pages through the whole list in any order", async () => {
    for (const sort of ["score", "score_asc", "rr", "symbol"] as const) {
      const { results: all } = await ask({ sort, limit: 100 });
      const paged = [];
      let cursor: string | null = null;
      do {
        const next = cursor === null ? {} : { cursor };
        const page: Awaited<ReturnType<typeof ask>> = await ask({ sort, limit: 3, ...next });
        paged.push(...page.results);
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(paged).toEqual(all);
    }
  });

  it("rejects a cursor of a list with another filter or order", async () => {
    const { next_cursor: cursor } = await ask({ limit: 1 });
    for (const other of [{ sort: "symbol" }, { tier: "HOT" }])
      await expect(ask({ ...other, limit: 1, cursor })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        hint: expect.stringContaining("same filters"),
      });
  });

  it("explains a universe with the name of an index", async () => {
    const { notes } = await ask({}, { engineRuns: runsOf({ ...run, universe: "sp500" }) });
    expect(notes).toEqual([expect.stringMatching(/^sp500 means .* not the index itself$/)]);
  });

  it("notes the day of a run over old bars", async () => {
    const { notes } = await ask({}, { clock: stoppedClock(new Date("2026-01-25T00:00:00Z")) });
    expect(notes[0]).toBe(
      "Stale: the newest bars of the run over all closed at 2026-01-15T00:00:00.000Z: the run describes that day",
    );
  });

  it("notes how many members of a run failed when more than a tenth did", async () => {
    const rows = run.rows.slice(0, 9);
    const failure = { symbol: "S", code: "UPSTREAM_UNAVAILABLE", message: "No" };
    const lost = (count: number) => {
      const failures = Array<typeof failure>(count).fill(failure);
      return ask({}, { engineRuns: runsOf({ ...run, rows, failures }) });
    };
    expect([rows.length, (await lost(1)).notes]).toEqual([9, []]);
    expect((await lost(2)).notes).toEqual([
      "2 of the 11 members of the run over all have no result, so it does not cover the whole market",
    ]);
  });

  it("says of each row whose bars end on another day than those of most rows", async () => {
    const [stock] = run.rows.filter(({ asset_class, score }) => asset_class === "equity" && score !== null);
    const rows = run.rows.map((row) => (row === stock ? { ...row, as_of: "2026-01-13T21:00:00.000Z" } : row));
    const { results } = await ask({ limit: 100 }, { engineRuns: runsOf({ ...run, rows }) });
    const marked = results.filter(({ other_day }) => other_day !== null);
    expect(marked.map(({ symbol, other_day }) => [symbol, other_day])).toEqual([
      [stock!.symbol, "Its bars end at 2026-01-13T21:00:00.000Z; those of most rows end on 2026-01-14"],
    ]);
  });

  it("notes which kind of instrument has old bars, and which symbols have older bars than others", async () => {
    const old = "2020-06-30T20:00:00.000Z";
    const isCoin = ({ asset_class }: { asset_class: string }) => asset_class === "crypto";
    const coins = run.rows.map((row) => (isCoin(row) ? { ...row, as_of: old } : row));
    expect((await ask({}, { engineRuns: runsOf({ ...run, rows: coins }) })).notes).toEqual([
      `Stale: the newest bars of coins in the run over all closed at ${old}: the run describes that day`,
    ]);
    const one = run.rows.map((row) => (row.symbol === "AAPL" ? { ...row, as_of: old } : row));
    const { notes, runs } = await ask({}, { engineRuns: runsOf({ ...run, rows: one }) });
    expect(notes).toEqual(["Stale: more than 3 later 1d bars are missing: AAPL (closed 2020-06-30)"]);
    expect(runs[0]!.bars_as_of).toBe("2026-01-15T00:00:00.000Z");
  });

  it("counts members of the requested asset class", async () => {
    const { runs } = await ask({ asset_class: "crypto" });
    expect(runs[0]!.members).toBe(run.rows.filter(({ asset_class }) => asset_class === "crypto").length);
    expect(runs[0]!.members).toBeLessThan(run.members.length);
  });

  it("returns the side of a WAIT's levels, and prints it as one to watch", async () => {
    const rows = run.rows.map((row) =>
      row.symbol === "AAPL" ? { ...row, direction: "WAIT" as const, levels_basis: "watch" as const } : row,
    );
    const answer = await ask({ limit: 100 }, { engineRuns: runsOf({ ...run, rows }) });
    for (const { actionCard, bias } of answer.results)
      if (bias !== "WAIT") expect(actionCard.side).toBe(bias);
    const lines = screenUniverse.terminal!(answer, (_, text) => text).split("\n");
    expect(lines.find((line) => line.startsWith("AAPL "))).toMatch(/^AAPL +HOT +watch LONG +\d/);
    expect(lines).toContain("watch: the signal is WAIT; its levels are for watching, not a plan");
  });

  it("rejects a cursor of an older run with CONFLICT, and an invalid one", async () => {
    const { next_cursor: cursor } = await ask({ limit: 1 });
    const newer = runsOf({ ...run, run_id: "00000000-0000-4000-8000-00000000000b" });
    await expect(ask({ limit: 1, cursor }, { engineRuns: newer })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    for (const odd of ["MQ", "!!", "x".repeat(300)])
      await expect(ask({ cursor: odd })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it.each([
    ["2026-01-16T00:11:00.000Z", false],
    ["2026-01-16T00:11:00.001Z", true],
    ["2026-01-15T00:10:59.999Z", true],
  ])("at %s reports the run as stale: %s", async (now, stale) => {
    const { runs, notes } = await ask({}, { clock: stoppedClock(new Date(now)) });
    expect([runs[0]!.stale, notes.length]).toEqual([stale, stale ? 1 : 0]);
  });

  it("states what to do before the first run", async () => {
    await expect(ask({}, { engineRuns: runsOf(null) })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      hint: "The owner of the server can start a run; scan_symbols works without one.",
      command: "market-signal engine run --universe all",
    });
  });

  it("omits symbols without a score", async () => {
    const [first, ...others] = run.rows;
    const unscored = { ...run, rows: [{ ...first!, score: null, grade: null }, ...others] };
    const { results, runs } = await ask({ limit: 100 }, { engineRuns: runsOf(unscored) });
    expect(results.map(({ symbol }) => symbol)).not.toContain(first!.symbol);
    expect(runs[0]!.unscored).toBe(1);
  });
});

toolContract(screenUniverse, { ports });
