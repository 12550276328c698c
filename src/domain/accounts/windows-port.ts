/** A quota of calls per window of seconds. */
export interface Limit {
  readonly quota: number;
  readonly window: number;
  /** true: each call moves the end of the window to its length after that call. Default: false. */
  readonly fromLast?: boolean;
}

export interface WindowUsage {
  readonly remaining: number;
  /** Milliseconds until the window ends; 0 when no window is running. */
  readonly msLeft: number;
}

/**
 * Rate windows, shared by all processes on one database. A window starts with its first call. It ends its length after that
 * call or, with `fromLast`, after the last one.
 */
export interface Windows {
  /** Counts one call. Returns null when admitted, otherwise the milliseconds until the next window; a rejected call is not counted. */
  take(name: string, limit: Limit, caller: string): Promise<number | null>;
  /** Gives one admitted call back to the running window; no effect if none runs. */
  refund(name: string, limit: Limit, caller: string): Promise<void>;
  /** Returns the current usage without counting a call. */
  usage(name: string, limit: Limit, caller: string): Promise<WindowUsage>;
}
