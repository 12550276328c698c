import type { Chamber, Disclosure, UnreadFiling } from "./congress.ts";
import type { Filings } from "./provider.ts";

export interface DisclosureKey {
  readonly source: string;
  readonly chamber: Chamber;
}

/** Extent of one provider's disclosures of one chamber. */
export interface DisclosureState {
  /** Time of the last provider response, complete or partial, epoch ms; null before the first. */
  readonly answeredAt: number | null;
  /** Time of the last complete provider response, epoch ms; null before the first. */
  readonly refreshedAt: number | null;
  /** Everything filed from this day on is stored, according to the provider. */
  readonly completeFrom: string | null;
  /** Newest stored filing date. */
  readonly newest: string | null;
}

/** Rows added by one request. */
export interface DisclosureBatch extends DisclosureKey, Omit<Filings, "more"> {
  /** Time of the provider's response, epoch ms; null if it was not called. */
  readonly answeredAt: number | null;
  /** Time at which the provider had returned everything, epoch ms; null if there is more. */
  readonly refreshedAt: number | null;
}

/** Stored disclosures, by provider and chamber. */
export interface DisclosureRepository {
  /** Saves one response atomically, replacing disclosures of the same id. */
  save(entry: DisclosureBatch): Promise<void>;
  state(place: DisclosureKey): Promise<DisclosureState>;
  /** Numbers of stored filings, except unreadable ones filed since `retrySince` that may become readable later. */
  known(place: DisclosureKey, retrySince: string): Promise<ReadonlySet<string>>;
  /** Disclosures filed within the days, newest filing first; only of the ticker if one is given. */
  trades(
    place: DisclosureKey,
    range: { readonly from: string; readonly until: string; readonly ticker: string | null },
  ): Promise<readonly Disclosure[]>;
  unread(
    place: DisclosureKey,
    range: { readonly from: string; readonly until: string },
  ): Promise<readonly UnreadFiling[]>;
  /** Returns disclosures without a matched filer, filed on or after `since`. */
  unmatched(place: DisclosureKey, since: string): Promise<readonly Disclosure[]>;
}
