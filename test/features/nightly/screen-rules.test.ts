import { describe, expect, it } from "vitest";
import type { ScreenRow } from "../../../src/domain/nightly/scan.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { invoke } from "../../../src/kernel/invoke.ts";
import { screenUniverse } from "../../../tools/screen-universe.ts";
import { pro } from "../../support/context.ts";
import { engineRunOver, runsOf } from "../../support/engine-runs.ts";
import { smallMarket } from "../../support/market.ts";

const market = smallMarket().ports;
const run = await engineRunOver(market);
const ports = { ...market, engineRuns: runsOf(run) };
const ask = (input: unknown = {}, over: Partial<typeof ports> = {}) =>
  invoke(screenUniverse, input, {
    ports: { ...ports, ...over },
    principal: pro,
    transport: "test",
    nested: true,
  });

describe("the grades and rules of a screen", () => {
  it.each<[object, (row: ScreenRow) => boolean]>([
    [{ grade: ">=A-" }, ({ grade }) => grade?.startsWith("A") === true],
    [{ grade: ">=f" }, ({ grade }) => grade !== null],
    [
      { rules: "grade >= A and tier = hot" },
      ({ grade, tier }) => grade?.startsWith("A") === true && grade !== "A-" && tier === "HOT",
    ],
    [
      { rules: "bias = short and score < 50" },
      ({ bias, overallScore }) => bias === "SHORT" && overallScore < 50,
    ],
    [{ rules: "sector = Information_Technology" }, ({ sector }) => sector === "Information Technology"],
    [
      { rules: "sector != Information_Technology" },
      ({ sector }) => sector !== null && sector !== "Information Technology",
    ],
    [{ rules: "stage = 2 and rr >= 1.5" }, ({ stage, actionCard }) => stage === 2 && actionCard.rr >= 1.5],
    [
      { rules: "close < entry and asset_class = crypto" },
      ({ close, actionCard, asset_class }) => close < actionCard.entry && asset_class === "crypto",
    ],
  ])("return what passes %j", async (filter, passes) => {
    const { results: all } = await ask({ limit: 100 });
    const { results, total } = await ask({ ...filter, limit: 100 });
    expect(results).toEqual(all.filter(passes));
    expect(total).toBe(results.length);
    expect(total).toBeGreaterThan(0);
  });

  it.each([
    ["rsi(14) < 100", 164],
    ["close > sma(200)", 500],
    ["close > sma(500)", 501],
  ])("read for %s only %i bars of each row, which runs have cached", async (rules, bars) => {
    const limits = new Set<number>();
    const counting: typeof ports.bars = {
      history: (instrument, request) => {
        limits.add(request.limit);
        return ports.bars.history(instrument, request);
      },
    };
    await ask({ rules }, { bars: counting });
    expect([...limits]).toEqual([bars]);
  });

  it("read prices and indicators at the close of each row", async () => {
    const { results: all } = await ask({ limit: 100 });
    const rising = (await ask({ rules: "rsi(14) > 70 and change_pct > 0", limit: 100 })).results;
    expect(rising.map(({ symbol }) => symbol)).toContain("AAPL");
    expect(rising.length).toBeLessThan(all.length);
    // the fixture moves by one eighth a day: AAPL closed at 137.375 after 137.25
    expect((await ask({ rules: "change_pct > 0.0911" })).results.map(({ symbol }) => symbol)).not.toContain(
      "AAPL",
    );
    const near = await ask({ rules: "change_pct > 0.0910 and change_pct < 0.0911" });
    expect(near.results.map(({ symbol }) => symbol)).toContain("AAPL");
    const sides = ["rsi(14) > 50", "rsi(14) <= 50"].map(async (rules) => (await ask({ rules })).total);
    expect((await Promise.all(sides)).reduce((sum, total) => sum + total)).toBe(all.length);
  });

  it.each([
    ["rsi(14) < 30 and grde >= 2", /^Condition 2: At character 1: "grde" is not a term, did you mean grade/],
    ["grade >= Q", /^At character 10: grade must be compared with one of A\+, A, A-/],
    ["tier > HOT", /^At character 6: tier only allows = !=/],
    ["sector = Wood", /^At character 10: sector must be compared with one of .*Information_Technology/],
    ["t_ma200 > 0", /^At character 1: .*t_ma200.* is not a term/],
    [
      "odds(target3) > 0.4",
      /^At character 6: argument of odds must be one of stop, target1, neither, not "target3"$/,
    ],
    ["odds(1) > 0.4", /^At character 6: argument of odds must be one of stop, target1, neither, not "1"$/],
    [
      "odds(stop, neither) > 0.4",
      /^At character 12: odds takes one argument: one of stop, target1, neither$/,
    ],
    ["odds() > 0.4", /^At character 1: odds requires an argument: one of stop, target1, neither$/],
    ["score > 50 and odds > 0.4", /^Condition 2: At character 1: odds requires an argument: one of stop/],
    ["odds(target1) > 40%", /^At character 19: "%" is not allowed in a condition$/],
    ["score > 50 and 40 < odds(target1)", /^odds are probabilities from 0 to 1: 40 of 100 cases are 0.4$/],
    [
      "odds(target) crosses_above 0.4",
      /^crosses_above requires a price or an indicator: a row has no earlier values$/,
    ],
    ["score(stop) > 50", /^At character 1: score takes no arguments$/],
    ["rsi(14) <", /^At character 10: a term is missing/],
  ])("reject the rule '%s' with the position", async (rules, message) => {
    const failure = await ask({ rules }).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({
      code: "INVALID_INPUT",
      hint: expect.stringContaining("sector, change_pct, open, high"),
    });
    expect((failure as ToolError).data?.errors).toMatchObject([{ pointer: "/rules" }]);
    expect((failure as Error).message).toMatch(message);
  });

  it("read the odds of each row, and note the rows that have none", async () => {
    const odds = (stop_first: number, target_first: number, neither: number) => ({
      version: "odds-closed-form-1.0.0",
      bars: 20,
      from: 100,
      stop_first,
      target_first,
      neither,
      base: null,
    });
    const given = [odds(0.28, 0.31, 0.41), odds(0.5, 0.45, 0.05), odds(0.2, 0.41, 0.39), null, null];
    const rows = run.rows.slice(0, 5).map((row, i) => ({ ...row, score: 60, odds: given[i]! }));
    const engineRuns = runsOf({ ...run, rows });
    const names = async (rules: string) => {
      const { results, notes } = await ask({ rules, sort: "symbol" }, { engineRuns });
      return {
        held: results.map(({ symbol }) => rows.findIndex((row) => row.symbol === symbol)).sort(),
        notes: notes.filter((note) => note.includes("odds")),
      };
    };
    const notes = ["2 rows have no odds: too few bars, a suspected split or a run of an earlier version"];
    expect(await names("odds(target1) > 0.4")).toEqual({ held: [1, 2], notes });
    expect(await names("ODDS(Target) > 0.4 and odds(stop) < 0.3")).toEqual({ held: [2], notes });
    expect(await names("odds(neither) < 0.41")).toEqual({ held: [1, 2], notes });
    expect(await names("odds(neither) <= 0.41")).toEqual({ held: [0, 1, 2], notes });
    expect(await names("odds(target) > odds(stop)")).toEqual({ held: [0, 2], notes });
    expect(await names("odds(stop) != 0.2")).toEqual({ held: [0, 1], notes });
    // a condition on the odds of a row without any does not hold; another of the same rule may
    expect(await names("odds(stop) < 0.3 or score = 60")).toEqual({ held: [0, 1, 2, 3, 4], notes });
    expect(await names("score = 60")).toEqual({ held: [0, 1, 2, 3, 4], notes: [] });
    const [first] = rows;
    const single = await ask(
      { rules: "odds(stop) < 1" },
      {
        engineRuns: runsOf({ ...run, rows: [{ ...first!, odds: null }] }),
      },
    );
    expect([single.total, single.notes[0]]).toEqual([
      0,
      "1 row has no odds: too few bars, a suspected split or a run of an earlier version",
    ]);
  });

  it("leave out rows without bars up to their close, with a note, and pass on an outage", async () => {
    const rules = "close > 0";
    const history = (symbols: readonly string[]): typeof ports.bars => ({
      history: async (instrument, request) => {
        if (symbols.includes(instrument.symbol))
          throw new ToolError("UPSTREAM_UNAVAILABLE", "No provider answers");
        return ports.bars.history(instrument, request);
      },
    });
    const { total } = await ask({ rules });
    const one = await ask({ rules }, { bars: history(["AAPL"]) });
    expect(one.total).toBe(total - 1);
    expect(one.notes).toEqual(["Rows left out: 1; no bars up to the close of the run for AAPL"]);
    const all = run.rows.map(({ symbol }) => symbol);
    await expect(ask({ rules }, { bars: history(all) })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    // a rule on the rows alone reads no bars
    expect((await ask({ rules: "score > 0" }, { bars: history(all) })).total).toBe(total);
  });

  it("belong to a cursor", async () => {
    const { next_cursor: cursor } = await ask({ limit: 1, rules: "score > 0" });
    await expect(ask({ limit: 1, rules: "score > 1", cursor })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      hint: expect.stringContaining("same filters"),
    });
  });
});
