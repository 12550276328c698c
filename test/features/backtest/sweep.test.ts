import { describe, expect, it } from "vitest";
import type { Params } from "../../../src/analytics/backtest/strategies/params.ts";
import { type PlanRequest, planOf } from "../../../src/features/backtest/plan.ts";
import { runSweep } from "../../../src/features/backtest/sweep.ts";
import type { ToolError } from "../../../src/kernel/errors.ts";
import { testAccount } from "../../analytics/backtest/tape.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const bars = syntheticBars(1, 300);
const EMA: PlanRequest = { strategy: "ema_cross", params: {} };

/** Runs a sweep and records its progress and each combination tried. */
async function swept(
  grid: Readonly<Record<string, string>>,
  of: PlanRequest = EMA,
  { signal, bars: count = 300 }: { readonly signal?: AbortSignal; readonly bars?: number } = {},
) {
  const plan = planOf(of);
  const tried: Params[] = [];
  const told: string[] = [];
  const found = await runSweep({
    plan,
    grid,
    folds: 0,
    account: testAccount(),
    year: 252,
    counts: [count],
    streamsFor: (params) => {
      tried.push(params);
      return [{ symbol: "A", bars, decisions: plan.decide(bars, undefined, params) }];
    },
    signal: signal ?? new AbortController().signal,
    progress: ({ done, total, message }) => void told.push(`${done} of ${total} ${message}`),
  });
  return { found, tried, told };
}

const refusal = (grid: Readonly<Record<string, string>>, of?: PlanRequest) =>
  swept(grid, of).then(
    () => expect.unreachable("it was swept"),
    (error: ToolError) => ({ code: error.code, message: error.message }),
  );

const NEITHER = "is neither a list such as 5,10,20 nor a range such as 5..50:5";

describe("the values of a sweep", () => {
  it.each([
    ["5,10,20", [5, 10, 20]],
    [" 7 , 3 ", [7, 3]],
    ["5..8", [5, 6, 7, 8]],
    ["5..20:5", [5, 10, 15, 20]],
    ["5..19:5", [5, 10, 15]],
    ["9..9", [9]],
  ])("%s are whole numbers", async (text, values) => {
    const { tried } = await swept({ fast: text });
    expect(tried.map(({ fast }) => fast)).toEqual(values);
  });

  it("are decimals without rounding errors, and texts", async () => {
    const bands: PlanRequest = { strategy: "bollinger_reversion", params: { period: 10 } };
    const { tried } = await swept({ width: "0.1..0.7:0.1" }, bands);
    expect(tried.map(({ width }) => width)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
    expect(tried[0]).toEqual({ period: 10, width: 0.1, side: "long" });
    const sides = await swept({ side: "long, both" });
    expect(sides.tried.map(({ side }) => side)).toEqual(["long", "both"]);
  });

  it.each([
    [{ fast: "5..50:0" }, `sweep.fast: "5..50:0" ${NEITHER}`],
    [{ fast: "9..5" }, `sweep.fast: "9..5" ${NEITHER}`],
    [{ fast: "5,,6" }, `sweep.fast: "5,,6" ${NEITHER}`],
    [{ fast: "" }, `sweep.fast: "" ${NEITHER}`],
    [{ fast: "5..x" }, "sweep.fast: fast must be a whole number from 1 to 500"],
    [{ fast: "0..3" }, "sweep.fast: fast must be a whole number from 1 to 500"],
    [{ fast: "5..6:.5" }, "sweep.fast: fast must be a whole number from 1 to 500"],
    [{ fast: "5..6:0.5" }, "sweep.fast: fast must be a whole number from 1 to 500"],
    [{ fast: "0..1000000:1" }, "sweep.fast: has 1001 values; the maximum is 1000"],
    [{ side: "long,none" }, "sweep.side: side must be one of long, both"],
    [{}, "sweep: must name at least one parameter"],
  ])("are rejected with their path: %o", async (grid, message) => {
    expect(await refusal(grid)).toEqual({ code: "INVALID_INPUT", message });
  });

  it("are rejected for unknown parameters and for rules", async () => {
    const { message } = await refusal({ slwo: "5,6" });
    expect(message).toBe(
      'sweep.slwo: "slwo" is not a parameter of the strategy, did you mean slow? Parameters: fast, slow, side',
    );
    const rules: PlanRequest = { strategy: "rules", params: {}, rules: { entry: { all: ["close > 1"] } } };
    expect((await refusal({ fast: "5" }, rules)).message).toBe("sweep: rules have no parameters to sweep");
  });

  it("are refused beyond 2,000 combinations before any is tried", async () => {
    // 100 times 100, of which those with fast under slow are 4,950
    expect(await refusal({ fast: "1..100", slow: "2..101" })).toEqual({
      code: "INVALID_INPUT",
      message: "The sweep has 10000 combinations; the maximum is 2000",
    });
  });
});

describe("sweepOf", () => {
  it("omits combinations that need more bars, and rejects when none is left", async () => {
    const few = await swept({ slow: "20,40,80" }, EMA, { bars: 50 });
    expect([few.found.trials, few.found.invalidCount]).toEqual([2, 1]);
    await expect(swept({ slow: "80,90" }, EMA, { bars: 50 })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "sweep: none of its 2 combinations has compatible values and enough bars",
    });
  });

  it("tries a repeated value once", async () => {
    expect((await swept({ fast: "5,6,5" })).tried.map(({ fast }) => fast)).toEqual([5, 6]);
  });

  it("tries valid combinations, the last parameter changing fastest, and returns the best ten", async () => {
    const { found, tried } = await swept({ fast: "5..20:5", slow: "10,20,40,80" });
    expect(tried.slice(0, 5).map(({ fast, slow }) => [fast, slow])).toEqual([
      ...[10, 20, 40, 80].map((slow) => [5, slow]),
      [10, 20],
    ]);
    expect([found.trials, found.invalidCount, found.top.length]).toEqual([12, 4, 10]);
    const sharpes = found.top.map(({ sharpe_arithmetic }) => sharpe_arithmetic!);
    expect(sharpes).toEqual(sharpes.toSorted((a, b) => b - a));
    expect(found.best!.sharpe_arithmetic).toBe(sharpes[0]);
  });

  it("reports progress every twenty combinations, sooner over many bars, and can be cancelled", async () => {
    const { told } = await swept({ fast: "1..45" }, { strategy: "ema_cross", params: { slow: 100 } });
    expect(told).toEqual(["20 of 45 combinations tried", "40 of 45 combinations tried"]);
    const long = await swept({ fast: "1..5" }, EMA, { bars: 50_000 });
    expect(long.told).toEqual(["2 of 5 combinations tried", "4 of 5 combinations tried"]);
    expect((await swept({ fast: "1..3" }, EMA, { bars: 1e6 })).told).toHaveLength(3);
    const reason = new Error("enough");
    await expect(
      swept({ fast: "1..45" }, { ...EMA, params: { slow: 100 } }, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});
