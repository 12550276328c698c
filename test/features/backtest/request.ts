import type { BacktestRequest } from "../../../src/features/backtest/plan.ts";

/** A run of AAPL over daily bars without costs. */
export const backtestRequest = (over: Partial<BacktestRequest> = {}): BacktestRequest => ({
  symbols: ["AAPL"],
  timeframe: "1d",
  strategy: "buy_hold",
  params: {},
  folds: 0,
  draws: 0,
  account: {
    cash: 10_000,
    commission: 0,
    slippage: 0,
    finalize: true,
    sizing: { kind: "all_in", value: null },
  },
  signal: new AbortController().signal,
  progress: () => {},
  ...over,
});
