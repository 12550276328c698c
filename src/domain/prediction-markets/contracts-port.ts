import type { ContractSearch, Venue } from "./contracts.ts";

export interface ContractRequest {
  readonly signal?: AbortSignal | undefined;
  /** Words to search for, each as a question of its own: `META`, `Meta Platforms`; at least one. */
  readonly texts: readonly string[];
  /** Names of the venues to ask; all of them where left out. */
  readonly venues?: readonly string[];
  /** Epoch ms after which nothing is read. Default: now. */
  readonly asOf?: number;
}

/** Open contracts of prediction markets. */
export interface Contracts {
  /** The venues that are connected, those of real money first; empty where none is. */
  venues(): readonly Venue[];
  /** Setting that connects one, if none is connected. */
  readonly missing: string | null;
  /** True if past moments can be requested from the venues; otherwise they are answered from stored snapshots. */
  readonly supportsHistory: boolean;
  /**
   * Open contracts that the venues find for the texts, including merely similar ones. Null if no venue is connected; rejects
   * with UPSTREAM_UNAVAILABLE where none of them answers.
   */
  search(request: ContractRequest): Promise<ContractSearch | null>;
}
