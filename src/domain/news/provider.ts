import type { AssetClass, Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { Headline } from "./news.ts";

/** News of an instrument in a window, epoch ms. */
export interface NewsQuestion {
  readonly instrument: Instrument;
  readonly from: number;
  readonly until: number;
}

/** Headlines as a provider told them, in any order, made plain. */
export interface NewsProviderAnswer {
  readonly headlines: readonly Headline[];
  /** Headlines older than this may be missing; null where the whole window was told. */
  readonly completeFrom: number | null;
}

/** One vendor as a source of headlines. */
export interface NewsProvider extends Provider<NewsQuestion, NewsProviderAnswer> {
  readonly serves: ReadonlySet<AssetClass>;
  /** Whether it may be asked of windows that ended in the past; the others tell the newest alone. */
  readonly past: boolean;
  /** How far back its news reaches, in milliseconds; absent where unknown. */
  readonly reachMs?: number;
}
