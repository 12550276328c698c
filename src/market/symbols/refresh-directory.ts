import type {
  ListingRepository,
  ListingTable,
  TokenRow,
  UsRow,
} from "../../domain/market/listing-repository-port.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { embeddedListings, type Listings } from "./listings.ts";
import { mergeListings } from "./merge-listings.ts";

const DAY_MS = 86_400_000;
/** A list that nobody could replace for so long gives way to a much shorter one. */
const MAX_LIST_AGE_MS = 7 * DAY_MS;
const TIMEOUT_MS = 60_000;

/** Somebody who lists all instruments of a kind, under the name that the lists are kept with. */
export interface ListingProvider<Row> {
  readonly name: string;
  list(options: { readonly signal: AbortSignal }): Promise<readonly Row[]>;
}

export interface RefreshOptions {
  /** Who lists US stocks and funds; null where that source is switched off. */
  readonly us: ListingProvider<UsRow> | null;
  /** Who lists tokens; null where that source is switched off. */
  readonly tokens: ListingProvider<TokenRow> | null;
  readonly store: ListingRepository;
  /** Takes the new listings into use. */
  readonly apply: (listings: Listings) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** A kept list younger than this is left alone, ms; a day unsaid. */
  readonly olderThanMs?: number;
  /** When the listings in use were read, epoch ms: what another process has kept since is taken into use too. */
  readonly since?: number;
  /** Ends the asking, as when the server stops. */
  readonly signal?: AbortSignal;
}

type RefreshContext = Pick<RefreshOptions, "clock" | "log" | "olderThanMs" | "since" | "signal">;

/** The embedded table with what the store keeps; the table alone where the store keeps nothing or cannot be read. */
export async function loadListings(store: ListingRepository, log: Log): Promise<Listings> {
  const rowsOf = async <Row>(kind: string, shelf: ListingTable<Row>): Promise<readonly Row[]> => {
    try {
      return (await shelf.read())?.rows ?? [];
    } catch (cause) {
      log.warn("listings_not_read", { kind, cause });
      return [];
    }
  };
  const [us, tokens] = [await rowsOf("us", store.us), await rowsOf("tokens", store.tokens)];
  return mergeListings(embeddedListings(), { us, tokens });
}

/**
 * Fetches each list whose kept one is older than a day, keeps it and takes it into use. A list that cannot be had, or
 * that lost many rows, leaves the kept one as it is; that is logged and never thrown.
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

/** Whether the kept list is another now. */
async function refresh<Row>(
  kind: string,
  lister: ListingProvider<Row> | null,
  shelf: ListingTable<Row>,
  { clock, log, olderThanMs = DAY_MS, since = Number.POSITIVE_INFINITY, signal }: RefreshContext,
): Promise<boolean> {
  try {
    const kept = await shelf.read();
    const age = kept === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - kept.fetchedAt;
    const isNew = kept !== null && kept.fetchedAt > since;
    // a list of the future was kept by a wrong clock
    if (lister === null || (age >= 0 && age < olderThanMs)) return isNew;
    const patience = AbortSignal.timeout(TIMEOUT_MS);
    const rows = await lister.list({ signal: signal ? AbortSignal.any([signal, patience]) : patience });
    if (rows.length === 0) throw new Error("an empty list");
    const list = { rows, fetchedAt: clock.now().getTime(), source: lister.name };
    const outlived = kept !== null && age > MAX_LIST_AGE_MS;
    const taken = await shelf.replace(list, outlived ? "the kept list was more than a week old" : undefined);
    const fields = { kind, source: lister.name, rows: rows.length, kept: kept?.rows.length ?? 0 };
    if (taken) log.info("listings_refreshed", fields);
    else log.warn("listings_shrunk", fields);
    return taken || isNew;
  } catch (cause) {
    const why = cause instanceof ProviderFailure ? { failure: cause.kind, reason: cause.message } : { cause };
    log.warn("listings_not_refreshed", { kind, source: lister?.name, ...why });
    return false;
  }
}
