import type { Chamber, Disclosure, DisclosureOrigin, UnreadFiling } from "./congress.ts";

/** Selects disclosures by filing date: a trade becomes known on the day it was filed. */
export interface DisclosureRequest {
  readonly signal?: AbortSignal | undefined;
  /** Canonical symbol; every asset, those without a ticker too, where it is left out. */
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
  /** Why there are no rows, if none of the requested chambers is covered. */
  readonly reason: string | null;
}

/**
 * Trades that members of Congress disclosed. What no source covers is an empty list with a reason in `coverage`; rejects with
 * UPSTREAM_UNAVAILABLE where sources are connected, none answers and nothing is held.
 */
export interface Congress {
  disclosures(request: DisclosureRequest): Promise<Disclosures>;
}
