/** So many calls in so many seconds. */
export interface Limit {
  readonly quota: number;
  readonly window: number;
}

/** How one window of one caller stands. */
export interface WindowUsage {
  readonly remaining: number;
  /** Milliseconds until the window ends; 0 where none is running. */
  readonly msLeft: number;
}

/** Fixed windows, each begun by its first call and shared by every process on one file. */
export interface Windows {
  /** Counts one call. Null when it is admitted, else the milliseconds until the next window; a refused call is not counted. */
  take(name: string, limit: Limit, caller: string): Promise<number | null>;
  /** Takes one admitted call back; nothing where its window is over. */
  refund(name: string, limit: Limit, caller: string): Promise<void>;
  standing(name: string, limit: Limit, caller: string): Promise<WindowUsage>;
}
