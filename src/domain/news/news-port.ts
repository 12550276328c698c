import type { Instrument } from "../market/market.ts";
import type { ProviderAttempt } from "../market/provenance.ts";
import type { Headline } from "./news.ts";

/** Headlines about one instrument, newest first. An empty list means that there are none, unless `uncovered` is set. */
export interface NewsFeed {
  readonly headlines: readonly Headline[];
  /** Null if no provider returned a list. */
  readonly source: string | null;
  /** Time of the provider call, epoch ms; null if no provider returned a list. */
  readonly fetchedAt: number | null;
  /** No headline is later; epoch ms. */
  readonly asOf: number;
  /** Headlines older than this may be missing, epoch ms; null if none is known to be missing. */
  readonly completeFrom: number | null;
  /** True for an older answer, returned because no provider responds now. */
  readonly stale: boolean;
  /** Reason why there is no list for this instrument or window; null if there is one. */
  readonly uncovered: string | null;
  /** Providers tried, in order, including the one that answered. */
  readonly tried: readonly ProviderAttempt[];
  /** Problems of providers that the operator can fix, one clause each; omitted if there are none. */
  readonly troubles?: readonly string[];
}

/** News. Failure rejects with UPSTREAM_UNAVAILABLE. */
export interface News {
  /** Reason why no provider is connected, with the setting that connects one; null if one is connected. */
  readonly missing: string | null;
  /** Headlines published in [from, until], epoch ms; null if no provider is connected. */
  headlines(
    instrument: Instrument,
    range: { readonly from: number; readonly until: number; readonly signal?: AbortSignal | undefined },
  ): Promise<NewsFeed | null>;
}
