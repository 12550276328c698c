import type { Account } from "../../analytics/backtest/types.ts";
import type { Sizing } from "../../domain/backtest/backtest.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { PlanRequest } from "./plan.ts";

/** A parsed backtest request. */
export interface BacktestRequest extends PlanRequest {
  /** As typed; at least one. */
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  /** First time traded and last time known, epoch ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly account: Omit<Account, "from" | "fractional" | "sizing"> & {
    readonly sizing: Sizing;
    /** Default: fractional units for crypto, whole units otherwise. */
    readonly fractional?: boolean | undefined;
  };
  /** Number of walk-forward folds of a sweep. */
  readonly folds: number;
  /** Number of runs on shuffled returns. */
  readonly draws: number;
  readonly signal: AbortSignal;
  readonly progress: (step: {
    readonly done: number;
    readonly total: number;
    readonly message: string;
  }) => void;
}
