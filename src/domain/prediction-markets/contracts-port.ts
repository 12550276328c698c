import type { ContractSearch, Venue } from "./contracts.ts";

export interface ContractRequest {
  readonly signal?: AbortSignal | undefined;
  /** Search texts, each searched separately: `META`, `Meta Platforms`; at least one. */
  readonly texts: readonly string[];
  /** Names of the venues to call. Default: all. */
  readonly venues?: readonly string[];
  /** Only data up to this time is used, epoch ms. Default: now. */
  readonly asOf?: number;
}

/** Open contracts of prediction markets. */
export interface Contracts {
  /** Connected venues, those of real money first; empty if none is connected. */
  venues(): readonly Venue[];
  /** Setting that connects one; null if one is connected. */
  readonly missing: string | null;
  /** True if the venues support requests for past times; otherwise past times are answered from stored snapshots. */
  readonly supportsHistory: boolean;
  /**
   * Returns open contracts that the venues find for the texts, including merely similar ones; null if no venue is
   * connected. Rejects with UPSTREAM_UNAVAILABLE if no venue responds.
   */
  search(request: ContractRequest): Promise<ContractSearch | null>;
}
