import type { Ledger } from "../../../src/analytics/backtest/types.ts";
import { TIMEFRAME_MS } from "../../../src/domain/market/bars.ts";

/** A ledger of nothing but equity, a day for each value, from `first` (epoch ms) on. */
export const ledgerOver = (equity: readonly number[], first = Date.UTC(2020, 0, 1)): Ledger => ({
  time: Float64Array.from(equity, (_, day) => first + day * TIMEFRAME_MS["1d"]),
  equity: Float64Array.from(equity),
  trades: [],
  open: [],
  refused: [],
  commissions: 0,
});
