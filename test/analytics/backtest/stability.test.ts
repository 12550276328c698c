import { describe, expect, it } from "vitest";
import { bootstrap, type Interval } from "../../../src/analytics/backtest/bootstrap.ts";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import {
  type CostOutcome,
  runAtCostMultiples,
  spansZero,
  stabilityOf,
} from "../../../src/analytics/backtest/stability.ts";
import type { Account } from "../../../src/analytics/backtest/types.ts";
import { ledgerOver, testAccount } from "./tape.ts";

it("changes only commission and slippage in the run at higher costs", () => {
  const account = testAccount({ commission: 0.001, slippage: 0.0005, fractional: true });
  const accounts: Account[] = [];
  const run = (dearer: Account) => {
    accounts.push(dearer);
    return ledgerOver([1000, 1200 - 100_000 * dearer.commission]);
  };
  const costs = runAtCostMultiples(run, account, 252);
  expect(accounts).toEqual([
    { ...account, commission: 0, slippage: 0 },
    account,
    { ...account, commission: 0.002, slippage: 0.001 },
    { ...account, commission: 0.003, slippage: 0.0015 },
  ]);
  expect(costs.map(({ multiple, return_pct }) => `${multiple}: ${return_pct.toFixed(9)}`)).toEqual([
    "0: 20.000000000",
    "1: 10.000000000",
    "2: 0.000000000",
    "3: -10.000000000",
  ]);
});

const at = (multiple: number, return_pct: number): CostOutcome => ({
  multiple,
  return_pct,
  max_drawdown: 0,
  sharpe_arithmetic: null,
  trade_count: 0,
});
const between = (low: number, high: number): Interval => ({ value: 0, low, high, reason: null });
const intervals = {
  ...bootstrap(new Float64Array(0), { year: 252, random: seededRandom(1) }),
  sharpe_arithmetic: between(-0.1, 1),
  mean_daily_return_pct: between(0.01, 0.1),
};

describe("stability", () => {
  it.each([
    [-1, 1, true],
    [0, 1, true],
    [-1, 0, true],
    [0.1, 1, false],
    [-1, -0.1, false],
  ])("knows whether 0 lies from %s to %s", (low, high, spans) => {
    expect(spansZero({ low, high })).toBe(spans);
  });

  it("names the intervals that span 0 and omits undefined ones", () => {
    expect(stabilityOf(intervals, 30, []).spans_zero).toEqual(["sharpe_arithmetic"]);
  });

  it("reports the number of trades if there are too few", () => {
    expect([29, 30, 0].map((count) => stabilityOf(intervals, count, []).few_trades)).toEqual([29, null, 0]);
  });

  it.each([
    ["twice the costs", [at(1, 5), at(2, 0), at(3, -4)], 2],
    ["three times the costs", [at(1, 5), at(2, 1), at(3, -4)], 3],
    ["no costs that were tried", [at(1, 5), at(2, 3), at(3, 1)], null],
    ["nothing, where there is no profit to lose", [at(1, -5), at(2, -6)], null],
  ])("finds a profit gone at %s", (_, costs, gone) => {
    expect(stabilityOf(intervals, 30, costs).profit_gone_at).toBe(gone);
  });
});
