import type { Account } from "../../analytics/backtest/types.ts";
import type { Sizing } from "../../domain/backtest/backtest.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { PlanRequest } from "./plan.ts";

/** A run as it is asked for. */
export interface BacktestRequest extends PlanRequest {
  /** As typed; at least one. */
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  /** First moment traded and moment of what is known, epoch ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly account: Omit<Account, "from" | "fractional" | "sizing"> & {
    readonly sizing: Sizing;
    /** Parts of a unit of coins, whole units of everything else, where unsaid. */
    readonly fractional?: boolean | undefined;
  };
  /** In how many folds a sweep is to be chosen on the past alone. */
  readonly folds: number;
  /** Runs on shuffled returns. */
  readonly draws: number;
  readonly signal: AbortSignal;
  readonly progress: (step: {
    readonly done: number;
    readonly total: number;
    readonly message: string;
  }) => void;
}
