/** Names the fills, costs and figures behind a run; changes with every one of them. */
export const BACKTEST_VERSION = "backtest-1.0.0";
