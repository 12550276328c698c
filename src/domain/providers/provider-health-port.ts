export interface ProviderReport {
  readonly name: string;
  /** false while a call failed within the last minute. */
  readonly healthy: boolean;
  readonly latency_ms: number;
  /** True if calls still succeed, even if some fail, such as for one unreadable file. */
  readonly answering: boolean;
  /** Omitted for providers without a network. */
  readonly network?: {
    /** ISO 8601 UTC. */
    readonly last_success: string | null;
    /** Calls left in the current rate window. */
    readonly limit_left: number;
    readonly breaker: "closed" | "open" | "half_open";
    /** Milliseconds by which its clock is ahead of ours; null if it sends no time. */
    readonly clock_skew_ms: number | null;
    /** Kind of the failure within the last minute; null without one. */
    readonly failure: string | null;
  };
  /** What its terms of use forbid; omitted if unknown. */
  readonly terms?: {
    readonly forbids_automation: boolean;
    readonly non_commercial: boolean;
    readonly no_redistribution: boolean;
  };
}

/** State of each provider that has been called. */
export interface ProviderHealth {
  /** Returns the known status without calling a provider. */
  current(): readonly ProviderReport[];
  /** Calls network providers not called within the last minute; takes about a second at most. */
  report(): Promise<readonly ProviderReport[]>;
}
