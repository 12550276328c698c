import type { AssetClass, Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { Headline } from "./news.ts";

/** News of an instrument in a window, epoch ms. */
export interface NewsRequest {
  readonly instrument: Instrument;
  readonly from: number;
  readonly until: number;
}

/** Headlines of a provider, in any order, as plain text. */
export interface NewsProviderAnswer {
  readonly headlines: readonly Headline[];
  /** Headlines older than this may be missing; null if the whole window is complete. */
  readonly completeFrom: number | null;
}

export interface NewsProvider extends Provider<NewsRequest, NewsProviderAnswer> {
  readonly serves: ReadonlySet<AssetClass>;
  /** True if it supports windows that ended in the past; others only return the latest headlines. */
  readonly past: boolean;
  /** Length of its history in milliseconds; absent if unknown. */
  readonly reachMs?: number;
}
