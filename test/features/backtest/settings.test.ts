import { describe, expect, it } from "vitest";
import { type BacktestInput, runAndStoreBacktest } from "../../../src/features/backtest/stored-backtest.ts";
import { pro, usualRules } from "../../support/context.ts";
import { marketOf } from "../../support/market.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const USUAL: BacktestInput = {
  symbol: "AAPL",
  strategy: "sma_cross",
  params: { fast: 3, slow: 9 },
  timeframe: "1d",
  cash: 10_000,
  commission: 0.001,
  sizing: "all_in",
  finalize: false,
  folds: 0,
  null_run: 0,
};

async function run(input: Partial<BacktestInput>) {
  const { ports } = marketOf({
    bars: {
      AAPL: syntheticBars(3, 420),
      SPY: syntheticBars(4, 420),
      "BTC-USD": syntheticBars(5, 420, "UTC"),
    },
  });
  const caller = { principal: pro, signal: new AbortController().signal, progress: () => {} };
  return (await runAndStoreBacktest({ ...USUAL, ...input }, { ...ports, ...caller, tradeRules: usualRules }))
    .result;
}

describe("the settings of a backtest", () => {
  it("have a slippage by asset class, which is shown, and by symbol where classes differ", async () => {
    const of = async (input: Partial<BacktestInput>) => (await run(input)).account.slippage;
    expect(await of({})).toBe(0.0005);
    expect(await of({ symbol: "SPY" })).toBe(0.0002);
    expect(await of({ symbol: "BTC-USD" })).toBe(0.001);
    expect(await of({ slippage: 0 })).toBe(0);
    const mixed = await run({ symbol: undefined, symbols: ["AAPL", "BTC-USD"] });
    expect(mixed.account.slippage).toBeNull();
    expect(mixed.notes).toContain("Slippage on each side: AAPL 0.0005, BTC-USD 0.001.");
  });

  it("run at 0, 1, 2 and 3 times the costs, dearer each time", async () => {
    const { costs, metrics } = await run({ commission_per_share: 0.01 });
    expect(costs.map(({ part }) => part)).toEqual(["0x costs", "1x costs", "2x costs", "3x costs"]);
    expect(costs[1]!.return_pct).toBe(metrics.return_pct);
    const free = await run({ commission: 0, slippage: 0 });
    expect(costs[0]!.return_pct).toBe(free.metrics.return_pct);
    const returns = costs.map(({ return_pct }) => return_pct);
    expect(returns).toEqual(returns.toSorted((a, b) => b - a));
  });

  it("compare with a benchmark of choice", async () => {
    const plain = await run({});
    const compared = await run({ benchmark: "SPY" });
    const held = await run({ symbol: "SPY" });
    expect([plain.benchmark, compared.benchmark]).toEqual([null, "SPY"]);
    expect(compared.id).not.toBe(plain.id);
    expect(compared.trades).toEqual(plain.trades);
    expect(compared.metrics.buy_hold_return_pct).toBe(held.metrics.buy_hold_return_pct);
    expect(compared.metrics.buy_hold_return_pct).not.toBe(plain.metrics.buy_hold_return_pct);
  });

  it("give alpha in percent a year: 0 for holding all of the benchmark, without costs", async () => {
    const { metrics } = await run({
      strategy: "buy_hold",
      params: {},
      commission: 0,
      slippage: 0,
      fractional: true,
    });
    expect(metrics.beta).toBeCloseTo(1, 1);
    expect(Math.abs(metrics.alpha_annual_pct!)).toBeLessThan(Math.abs(metrics.cagr_pct!) / 4 + 2);
  });

  it("name problems with trailing stops and limits", async () => {
    const rules = { entry: { all: ["close > 1"] }, trail: "much", limit: "200 %" };
    await expect(run({ strategy: "rules", params: {}, rules })).rejects.toMatchObject({
      data: { errors: [{ pointer: "/rules/trail" }, { pointer: "/rules/limit" }] },
    });
  });
});
