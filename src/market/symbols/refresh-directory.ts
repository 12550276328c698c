import type {
  ListingRepository,
  ListingTable,
  TokenRow,
  UsRow,
} from "../../domain/market/listing-repository-port.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";
import { embeddedListings, type Listings } from "./listings.ts";
import { mergeListings } from "./merge-listings.ts";

const DAY_MS = 86_400_000;
/** A stored list older than this, in ms, is replaced even by a much shorter one. */
const MAX_LIST_AGE_MS = 7 * DAY_MS;
const TIMEOUT_MS = 60_000;

/** A provider of all instruments of a kind. */
export interface ListingProvider<Row> {
  readonly name: string;
  list(options: { readonly signal: AbortSignal }): Promise<readonly Row[]>;
}

export interface RefreshOptions {
  /** Provider of US stocks and funds; null if switched off. */
  readonly us: ListingProvider<UsRow> | null;
  /** Provider of tokens; null if switched off. */
  readonly tokens: ListingProvider<TokenRow> | null;
  readonly store: ListingRepository;
  readonly apply: (listings: Listings) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Minimum age of a stored list that is fetched again, ms. Default: one day. */
  readonly olderThanMs?: number;
  /** Time at which the listings in use were read, epoch ms; lists that another process stored later are also applied. */
  readonly since?: number;
  /** Aborts the requests, for example when the server stops. */
  readonly signal?: AbortSignal;
}

type RefreshContext = Pick<RefreshOptions, "clock" | "log" | "olderThanMs" | "since" | "signal">;

/**
 * Returns the embedded listings merged with the stored ones; only the embedded ones if the store is empty or
 * unreadable.
 */
export async function loadListings(store: ListingRepository, log: Log): Promise<Listings> {
  const rowsOf = async <Row>(kind: string, table: ListingTable<Row>): Promise<readonly Row[]> => {
    try {
      return (await table.read())?.rows ?? [];
    } catch (cause) {
      log.warn("listings_not_read", { kind, cause });
      return [];
    }
  };
  const [us, tokens] = [await rowsOf("us", store.us), await rowsOf("tokens", store.tokens)];
  return mergeListings(embeddedListings(), { us, tokens });
}

/**
 * Fetches, stores and applies each list whose stored copy is older than a day. A failed request, or a list with far fewer
 * rows, is logged and does not change the stored list. Never throws.
 */
export async function refreshDirectory({ us, tokens, ...given }: RefreshOptions): Promise<void> {
  const { store, apply, log } = given;
  const changed = [
    await refresh("us", us, store.us, given),
    await refresh("tokens", tokens, store.tokens, given),
  ];
  if (!changed.includes(true)) return;
  try {
    apply(await loadListings(store, log));
  } catch (cause) {
    log.warn("listings_not_applied", { cause });
  }
}

/** Refreshes one list. Returns true if the stored list changed. */
async function refresh<Row>(
  kind: string,
  lister: ListingProvider<Row> | null,
  table: ListingTable<Row>,
  { clock, log, olderThanMs = DAY_MS, since = Number.POSITIVE_INFINITY, signal }: RefreshContext,
): Promise<boolean> {
  try {
    const stored = await table.read();
    const age = stored === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - stored.fetchedAt;
    const isNew = stored !== null && stored.fetchedAt > since;
    // a list from the future was stored while the clock was wrong
    if (lister === null || (age >= 0 && age < olderThanMs)) return isNew;
    const rows = await withTimeLimit(TIMEOUT_MS, signal, (limited) => lister.list({ signal: limited }));
    if (rows.length === 0) throw new Error("the list is empty");
    const list = { rows, fetchedAt: clock.now().getTime(), source: lister.name };
    const isExpired = stored !== null && age > MAX_LIST_AGE_MS;
    const isReplaced = await table.replace(
      list,
      isExpired ? "the stored list was more than a week old" : undefined,
    );
    const fields = { kind, source: lister.name, rows: rows.length, kept: stored?.rows.length ?? 0 };
    if (isReplaced) log.info("listings_refreshed", fields);
    else log.warn("listings_shrunk", fields);
    return isReplaced || isNew;
  } catch (cause) {
    const why = cause instanceof ProviderFailure ? { failure: cause.kind, reason: cause.message } : { cause };
    log.warn("listings_not_refreshed", { kind, source: lister?.name, ...why });
    return false;
  }
}
