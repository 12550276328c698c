/** A quota of calls per window of seconds. */
export interface Limit {
  readonly quota: number;
  readonly window: number;
}

export interface WindowUsage {
  readonly remaining: number;
  /** Milliseconds until the window ends; 0 when no window is running. */
  readonly msLeft: number;
}

/** Fixed rate windows. A window starts with its first call and is shared by all processes on one file. */
export interface Windows {
  /** Counts one call. Returns null when admitted, otherwise the milliseconds until the next window; a rejected call is not counted. */
  take(name: string, limit: Limit, caller: string): Promise<number | null>;
  /** Returns one admitted call to the quota. Does nothing after its window ended. */
  refund(name: string, limit: Limit, caller: string): Promise<void>;
  /** Returns the current usage without counting a call. */
  usage(name: string, limit: Limit, caller: string): Promise<WindowUsage>;
}
