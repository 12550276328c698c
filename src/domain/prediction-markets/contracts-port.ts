import type { ContractSearch, Venue } from "./contracts.ts";

export interface ContractRequest {
  readonly signal?: AbortSignal | undefined;
  /** Search texts, each searched separately: `META`, `Meta Platforms`; at least one. */
  readonly texts: readonly string[];
  /** Names of the venues to call. Default: all. */
  readonly venues?: readonly string[];
  /** Epoch ms after which nothing is read. Default: now. */
  readonly asOf?: number;
}

/** Open contracts of prediction markets. */
export interface Contracts {
  /** Connected venues, those of real money first; empty if none is connected. */
  venues(): readonly Venue[];
  /** Setting that connects one, if none is connected. */
  readonly missing: string | null;
  /** True if past moments can be requested from the venues; otherwise they are answered from stored snapshots. */
  readonly supportsHistory: boolean;
  /**
   * Open contracts that the venues find for the texts, including merely similar ones. Null if no venue is connected; rejects
   * with UPSTREAM_UNAVAILABLE if no venue responds.
   */
  search(request: ContractRequest): Promise<ContractSearch | null>;
}
