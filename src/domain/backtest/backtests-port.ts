/** Request metadata of a stored backtest. */
export interface BacktestHead {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly request: Readonly<Record<string, unknown>>;
}

export interface BacktestRecord extends BacktestHead {
  readonly result: Readonly<Record<string, unknown>>;
}

/** Backtests of this market by account. */
export interface Backtests {
  /**
   * Saves a backtest, replacing one with the same id; the oldest beyond the limit are deleted. Rejects with INVALID_INPUT
   * if request and result are too large together.
   */
  save(backtest: BacktestRecord & { readonly account: string }): Promise<void>;
  /** Null if the account has none with that id. */
  find(account: string, id: string): Promise<BacktestRecord | null>;
  /** Newest first, without results. */
  list(account: string, limit: number): Promise<readonly BacktestHead[]>;
}
