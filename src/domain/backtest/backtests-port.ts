/** Request metadata of a stored backtest. */
export interface BacktestHead {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** A backtest with what came of it. */
export interface BacktestRecord extends BacktestHead {
  readonly result: Readonly<Record<string, unknown>>;
}

/** Backtests that accounts ran over the data of this market. No account sees those of another. */
export interface Backtests {
  /**
   * Takes the place of one of the same name; the oldest of an account that has too many go. Rejects with INVALID_INPUT
   * where request and result together are too large.
   */
  save(backtest: BacktestRecord & { readonly account: string }): Promise<void>;
  /** Null where this account has none of that name. */
  find(account: string, id: string): Promise<BacktestRecord | null>;
  /** The newest first, without their results. */
  list(account: string, limit: number): Promise<readonly BacktestHead[]>;
}
