import { describe, expect, it } from "vitest";
import type { TrialRecord } from "../../../src/domain/backtest/trials.ts";
import { type BacktestInput, runAndStoreBacktest } from "../../../src/features/backtest/stored-backtest.ts";
import { countTrials, recordedTrials, trialKey } from "../../../src/features/backtest/trials.ts";
import { pro, usualRules } from "../../support/context.ts";
import { marketOf } from "../../support/market.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const USUAL: BacktestInput = {
  symbol: "AAPL",
  strategy: "sma_cross",
  timeframe: "1d",
  cash: 10_000,
  commission: 0.001,
  slippage: 0,
  sizing: "all_in",
  finalize: false,
  folds: 0,
  null_run: 0,
};

/** Runs backtests one after another for one account. */
function account() {
  const { ports } = marketOf({
    bars: { AAPL: syntheticBars(3, 420), MSFT: syntheticBars(4, 420) },
  });
  const caller = { principal: pro, signal: new AbortController().signal, progress: () => {} };
  return async (input: Partial<BacktestInput>, principal = pro) =>
    (
      await runAndStoreBacktest(
        { ...USUAL, ...input },
        { ...ports, ...caller, principal, tradeRules: usualRules },
      )
    ).result;
}

describe("counted trials", () => {
  it("deflate the winner of a sweep, run alone, by the whole sweep", async () => {
    const run = account();
    const swept = await run({ sweep: { fast: "3,5,8,12", slow: "20,30,40,50" } });
    expect(swept.deflated_sharpe.trials).toBe(16);
    const alone = await run({ params: swept.params });
    expect(alone.deflated_sharpe).toEqual(swept.deflated_sharpe);
    expect(alone.notes).toContainEqual(expect.stringMatching(/^16 trials are counted: settings that/));
    // new settings count once, however often they are run
    const other = { strategy: "rsi_reversion", params: { period: 5 } } as const;
    expect((await run(other)).deflated_sharpe.trials).toBe(17);
    expect((await run(other)).deflated_sharpe.trials).toBe(17);
  });

  it("of other symbols, timeframes, periods and accounts do not count", async () => {
    const run = account();
    await run({ sweep: { fast: "3,5,8,12" }, params: { slow: 20 } });
    const trials = async (input: Partial<BacktestInput>, principal = pro) =>
      (await run({ params: { fast: 3, slow: 20 }, ...input }, principal)).deflated_sharpe.trials;
    expect(await trials({ symbol: "MSFT" })).toBe(1);
    expect(await trials({ symbol: undefined, symbols: ["AAPL", "MSFT"] })).toBe(1);
    expect(await trials({}, { ...pro, account: "other" })).toBe(1);
    expect(await trials({ from: "2020-06-01" })).toBe(4);
  });

  it("are null and say so for one trial", async () => {
    const { deflated_sharpe } = await account()({ params: { fast: 3, slow: 20 } });
    expect(deflated_sharpe).toMatchObject({
      deflated: null,
      trials: 1,
      reason: "One trial is counted: there is no choice to correct for",
    });
    expect(deflated_sharpe.probabilistic).toBeGreaterThan(0);
  });
});

describe("a trial record", () => {
  const record = (from: number, to: number, ...trials: TrialRecord["trials"]): TrialRecord => ({
    symbols: ["AAPL"],
    timeframe: "1d",
    from,
    to,
    trials,
  });

  it("counts where it traded at least half of the period", () => {
    const own = record(100, 200, ["a", 1]);
    const counted = (from: number, to: number) => countTrials(own, [record(from, to, ["b", 3])]);
    expect(counted(0, 149)).toEqual({ count: 1, variance: null });
    expect(counted(0, 150)).toEqual({ count: 2, variance: 2 });
    expect(counted(0, 1_000)).toEqual({ count: 2, variance: 2 });
    expect(counted(300, 400)).toEqual({ count: 1, variance: null });
  });

  it("expires after a year, and an unreadable one is left out", () => {
    const trials = record(0, 1, ["a", null]);
    const stored = (day: string, request: Readonly<Record<string, unknown>>) => ({
      id: "bt_1",
      createdAt: `${day}T00:00:00.000Z`,
      request,
    });
    const found = recordedTrials(
      [stored("2025-06-01", { trials }), stored("2026-06-01", { trials }), stored("2026-06-01", {})],
      new Date("2026-11-28T00:00:00Z"),
    );
    expect(found).toEqual([trials]);
  });

  it("has one key for parameters in any order", () => {
    const plan = { strategy: "sma_cross", rules: null } as const;
    expect(trialKey(plan, { fast: 1, slow: 2 })).toBe(trialKey(plan, { slow: 2, fast: 1 }));
    expect(trialKey(plan, { fast: 1, slow: 3 })).not.toBe(trialKey(plan, { fast: 1, slow: 2 }));
  });
});
