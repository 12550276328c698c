import type { Instrument } from "../market/market.ts";
import type { Provider } from "./provider.ts";

/** The official close of one session. */
export interface OfficialClose {
  /** Session date `YYYY-MM-DD`. */
  readonly day: string;
  readonly close: number;
}

/** Closes and newest trade of a stock or fund at one provider, against which quotes of other providers are measured. */
export interface WitnessFigures {
  readonly closes: readonly OfficialClose[];
  /** Newest trade of any session; null if it is not known. `tradedAt`: epoch ms. */
  readonly last: { readonly price: number; readonly tradedAt: number } | null;
}

/**
 * Provider of official closes. A call returns the figures of at most `batchSize` instruments by canonical symbol,
 * without those that the provider does not list.
 */
export interface CloseProvider extends Provider<readonly Instrument[], ReadonlyMap<string, WitnessFigures>> {
  readonly batchSize: number;
}
