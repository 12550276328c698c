import type { Instrument } from "../market/market.ts";
import type { Provider } from "./provider.ts";

/** The official close of one session. */
export interface OfficialClose {
  /** Session date `YYYY-MM-DD`. */
  readonly day: string;
  readonly close: number;
}

/** What one provider knows of a stock or fund that a quote of another provider can be measured against. */
export interface WitnessFigures {
  readonly closes: readonly OfficialClose[];
  /** Newest trade of any session; null if it is not known. `tradedAt`: epoch ms. */
  readonly last: { readonly price: number; readonly tradedAt: number } | null;
}

/**
 * One provider of official closes, of at most `batchSize` instruments a call, by canonical symbol. Unlisted ones are
 * missing.
 */
export interface CloseProvider extends Provider<readonly Instrument[], ReadonlyMap<string, WitnessFigures>> {
  readonly batchSize: number;
}
