import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import type { BacktestResult } from "../../../src/domain/backtest/backtest.ts";
import type { RiskLimits } from "../../../src/domain/trading/risk.ts";
import { type BacktestInput, runAndStoreBacktest } from "../../../src/features/backtest/stored-backtest.ts";
import { pro, usualRules } from "../../support/context.ts";
import { marketOf } from "../../support/market.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const BARS = 320;
const USUAL: Omit<BacktestInput, "strategy"> = {
  symbol: "AAPL",
  timeframe: "1d",
  cash: 10_000,
  commission: 0.001,
  slippage: 0.0005,
  sizing: "all_in",
  finalize: false,
  folds: 0,
  null_run: 0,
};

/** Runs a backtest on bars generated from a seed. */
async function run(
  seed: number,
  input: BacktestInput,
  own: Partial<RiskLimits> = {},
): Promise<BacktestResult> {
  const { ports } = marketOf({
    bars: {
      AAPL: syntheticBars(seed, BARS),
      MSFT: syntheticBars(seed + 1, BARS - 40),
      "BTC-USD": syntheticBars(seed + 2, BARS, "UTC"),
      SPY: syntheticBars(seed + 3, BARS),
    },
  });
  const caller = { principal: pro, signal: new AbortController().signal, progress: () => {} };
  const tradeRules = {
    ...usualRules,
    limits: async () => ({ limits: { ...DEFAULT_LIMITS, ...own }, set: own, setAt: null }),
  };
  return (await runAndStoreBacktest(input, { ...ports, ...caller, tradeRules })).result;
}

const seeds = fc.integer({ min: 1, max: 1e6 });
const requests = fc
  .record({
    of: fc.constantFrom<Pick<BacktestInput, "strategy" | "params" | "rules">>(
      { strategy: "sma_cross", params: { fast: 3, slow: 9 } },
      { strategy: "ema_cross", params: { fast: 4, slow: 12, side: "long" } },
      { strategy: "donchian_breakout", params: { period: 10, stop_atr: 1.5, target_atr: 2, side: "both" } },
      { strategy: "rsi_reversion", params: { period: 5, side: "both" } },
      { strategy: "supertrend", params: { side: "both" } },
      {
        strategy: "rules",
        rules: { entry: { all: ["close > sma(10)"] }, exit: { any: ["rsi(5) > 70"] }, stop: "2 atr" },
      },
    ),
    symbols: fc.constantFrom(["AAPL"], ["AAPL", "MSFT"], ["MSFT", "BTC-USD", "AAPL"]),
    sizing: fc.constantFrom<BacktestInput["sizing"]>("all_in", "percent", "volatility", "kelly"),
    fractional: fc.boolean(),
  })
  .map(({ of, ...rest }): BacktestInput => ({ ...USUAL, ...of, ...rest, symbol: undefined }));
const FEW = { numRuns: 15 };

const profitOf = ({ trades, open_trades }: BacktestResult) =>
  [...trades, ...open_trades].reduce((sum, { profit }) => sum + profit, 0);

/** Equity up to a day, and trades closed by then. */
const until = ({ equity, trades }: BacktestResult, day: string) => ({
  equity: equity.filter(({ time }) => time <= day),
  trades: trades.filter(({ exit_time }) => exit_time <= day),
});

describe("every backtest", () => {
  it("that ends earlier equals the beginning of a longer one", async () => {
    await fc.assert(
      fc.asyncProperty(
        seeds,
        requests,
        fc.integer({ min: 60, max: BARS - 41 }),
        async (seed, input, days) => {
          const whole = await run(seed, input);
          const to = whole.equity[days]!.time;
          const part = await run(seed, { ...input, to });
          expect(part.to).toBe(to);
          expect(part.data_as_of <= whole.data_as_of).toBe(true);
          expect(until(part, to)).toEqual(until(whole, to));
          expect(part.trades).toEqual(until(whole, to).trades);
          expect(part.equity).toHaveLength(days + 1);
          // positions open then were closed later, or are still open
          for (const { entry_time, entry_price, symbol } of part.open_trades)
            expect([...whole.trades, ...whole.open_trades]).toContainEqual(
              expect.objectContaining({ entry_time, entry_price, symbol }),
            );
        },
      ),
      FEW,
    );
  });

  it("of the signal strategy that ends earlier equals the beginning of a longer one", async () => {
    const input: BacktestInput = { ...USUAL, strategy: "signal", params: { enter: "B-", exit: "C" } };
    const whole = await run(3, input);
    expect(whole.trades.length + whole.open_trades.length).toBeGreaterThan(0);
    for (const days of [270, 290, 305]) {
      const to = whole.equity[days]!.time;
      const part = await run(3, { ...input, to });
      expect(until(part, to)).toEqual(until(whole, to));
      expect(part.equity).toHaveLength(days + 1);
    }
  });

  it("ends with the initial cash and the profits of its trades", async () => {
    await fc.assert(
      fc.asyncProperty(seeds, requests, fc.constantFrom(0, 0.002), async (seed, input, commission) => {
        const result = await run(seed, { ...input, commission });
        expect(result.metrics.final_equity).toBeCloseTo(10_000 + profitOf(result), 6);
        expect(result.metrics.commissions > 0).toBe(commission > 0 && result.trades.length > 0);
      }),
      FEW,
    );
  });

  it("has the same percentages with twice the cash and fractional units", async () => {
    await fc.assert(
      fc.asyncProperty(seeds, requests, async (seed, input) => {
        const once = await run(seed, { ...input, fractional: true });
        const twice = await run(seed, { ...input, fractional: true, cash: 20_000 });
        expect(twice.metrics).toEqual({
          ...once.metrics,
          final_equity: 2 * once.metrics.final_equity,
          equity_peak: 2 * once.metrics.equity_peak,
          commissions: 2 * once.metrics.commissions,
        });
        expect(twice.trades.map(({ units }) => units)).toEqual(once.trades.map(({ units }) => 2 * units));
      }),
      FEW,
    );
  });
});

describe("a run with the loss limits of an account", () => {
  const stopped: BacktestInput = {
    ...USUAL,
    strategy: "donchian_breakout",
    params: { period: 5, stop_atr: 0.5, side: "both" },
  };

  it("refuses entries, lists the refused orders, and has another id", async () => {
    const off = { cooldown_stop_outs: null, halt_drawdown_pct: null };
    const held = { ...stopped, loss_limits: true };
    const plain = await run(7, stopped, { halt_drawdown_pct: "0.01" });
    const cooled = await run(7, held, { ...off, cooldown_stop_outs: 1, cooldown_minutes: 20 * 1_440 });
    const halted = await run(7, held, { ...off, halt_drawdown_pct: "0.01" });
    const reasons = ({ refused_orders }: BacktestResult) => refused_orders.map(({ reason }) => reason);
    expect([reasons(plain), reasons(cooled), reasons(halted)]).toEqual([[], ["cooldown"], ["halt"]]);
    expect(new Set([plain, cooled, halted].map(({ id }) => id)).size).toBe(3);
    expect(cooled.account).toMatchObject({ cooldown: { stop_outs: 1, minutes: 28_800 } });
    expect(halted.account).toMatchObject({ halt_drawdown: 0.01 });
    expect(plain.account).not.toHaveProperty("cooldown");
    expect((await run(7, held, off)).id).toBe(plain.id);
  });
});
