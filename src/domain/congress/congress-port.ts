import type { Chamber, Disclosure, DisclosureOrigin, UnreadFiling } from "./congress.ts";

/** Selects disclosures by filing date: a trade becomes known on the day it was filed. */
export interface DisclosureRequest {
  readonly signal?: AbortSignal | undefined;
  /** Canonical symbol. Default: all assets, including those without a ticker. */
  readonly symbol?: string | undefined;
  readonly chamber?: Chamber | undefined;
  /** First and last filing date, `YYYY-MM-DD`. */
  readonly from: string;
  readonly until: string;
}

/** Disclosures, newest filing first. */
export interface Disclosures extends DisclosureOrigin {
  readonly trades: readonly Disclosure[];
  readonly unread: readonly UnreadFiling[];
  /** Reason why there are no rows; null if one of the requested chambers is covered. */
  readonly reason: string | null;
}

/**
 * Trades disclosed by members of Congress. Without a provider the list is empty and `coverage` has the reason; rejects
 * with UPSTREAM_UNAVAILABLE if no connected provider responds and nothing is stored.
 */
export interface Congress {
  disclosures(request: DisclosureRequest): Promise<Disclosures>;
}
