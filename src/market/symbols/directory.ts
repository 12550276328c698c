import type { Instrument, Resolution } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";
import { groupBy } from "../../lib/group-by.ts";
import { lazy } from "../../lib/lazy.ts";
import { embeddedListings, type Listing, type Listings, tickerOf, unlisted } from "./listings.ts";
import { misspeltIn } from "./misspelt.ts";
import { namesIn } from "./nearest.ts";
import { notListedAs } from "./not-listed.ts";
import { foreignPair, inferInstrument, parseSymbol } from "./parse-symbol.ts";
import { notListedSymbol, unknownSymbol } from "./unknown-symbol.ts";

const MAX_CANDIDATES = 5;
/** Maximum number of peers in a market whose bars are read one symbol per call. */
const MAX_UNBATCHED_PEERS = 5;

export interface DirectoryOptions {
  /** Instruments with data in the loaded market. Their names come from the listings if listed there. */
  readonly members: readonly Instrument[];
  readonly listings?: Listings;
  /** True if the bars of all members can be read in one call, which ranks require. Default: true. */
  readonly bulk?: boolean;
}

/** Returns the `Symbols` port over the listings and one market's members. Needs no network. */
export function createDirectory({
  members,
  listings = embeddedListings(),
  bulk = true,
}: DirectoryOptions): Symbols {
  const known = withMembers(listings, members);
  const listedAs = (member: Instrument) =>
    listingMapOf(known, member).get(tickerOf(member))?.instrument ?? member;
  const own = [...new Map(members.map((member) => [member.symbol, listedAs(member)])).values()];
  const sectors = groupBy(
    own.filter(({ asset_class }) => asset_class === "equity"),
    ({ sector }) => sector,
  );
  // most calls of a command name a symbol exactly
  const names = lazy(() => namesIn(known));
  const misspelt = lazy(() => misspeltIn(known));
  const find = (text: string): Resolution | null => {
    const parsed = parseSymbol(text, known);
    return parsed === null
      ? null
      : {
          instrument: parsed.listing.instrument,
          alternatives: parsed.alternatives.map(({ instrument }) => instrument),
        };
  };
  const notListed = (text: string) => (find(text) === null ? notListedAs(text, known) : null);
  return {
    find,
    notListed,
    resolve(text) {
      const found = find(text);
      const other = found === null ? notListedAs(text, known) : null;
      if (other !== null) throw notListedSymbol(text, other);
      if (found === null) throw unknownSymbolError(text, known, names().nearest(text, MAX_CANDIDATES));
      return found;
    },
    search(text, limit) {
      const parsed = parseSymbol(text, known);
      const exact = parsed ? [parsed.listing, ...parsed.alternatives] : [];
      const found = new Set([...exact, ...names().nearest(text, limit)]);
      return [...found].slice(0, Math.max(0, limit)).map(({ instrument }) => instrument);
    },
    named: (text) =>
      names()
        .named(text)
        .map(({ instrument }) => instrument),
    misspelt: (text) => misspelt()(text).map(({ instrument }) => instrument),
    familiar: (instrument) => listingMapOf(known, instrument).get(tickerOf(instrument))?.familiar ?? false,
    members: () => own,
    universe: () => (bulk ? own : []),
    peers: ({ symbol, sector, asset_class }) => {
      if (asset_class !== "equity" || sector === null) return [];
      const same = (sectors.get(sector) ?? []).filter((member) => member.symbol !== symbol);
      return bulk ? same : same.slice(0, MAX_UNBATCHED_PEERS);
    },
  };
}

/**
 * Returns the `Symbols` port of a market in which every listing is a member and whose bars are read one symbol per
 * call. `replace` swaps the listings while the port is in use.
 */
export function createLiveDirectory({ listings }: { readonly listings: Listings }) {
  let current = directoryOf(listings);
  const symbols: Symbols = {
    resolve: (text) => current.resolve(text),
    find: (text) => current.find(text),
    notListed: (text) => current.notListed?.(text) ?? null,
    search: (text, limit) => current.search(text, limit),
    named: (text) => current.named(text),
    misspelt: (text) => current.misspelt(text),
    familiar: (instrument) => current.familiar(instrument),
    members: () => current.members(),
    universe: () => current.universe(),
    peers: (instrument) => current.peers(instrument),
  };
  const replace = (other: Listings): void => {
    current = directoryOf(other);
  };
  return { symbols, replace };
}

const directoryOf = (listings: Listings): Symbols =>
  createDirectory({
    members: [...listings.us.values(), ...listings.tokens.values()].map(({ instrument }) => instrument),
    listings,
    bulk: false,
  });

/**
 * Returns the instrument for a name, such as a file name without its extension; null if the name is neither a
 * ticker nor a USD pair. An unlisted name is a token if written as a pair, otherwise a stock.
 * Pass `listings` when reading many names.
 */
export function canonicalOf(name: string, listings: Listings = embeddedListings()): Instrument | null {
  return parseSymbol(name, listings)?.listing.instrument ?? inferInstrument(name, listings);
}

const listingMapOf = <M>(
  { us, tokens }: { readonly us: M; readonly tokens: M },
  { asset_class }: Instrument,
): M => (asset_class === "crypto" ? tokens : us);

function withMembers({ us, tokens }: Listings, members: readonly Instrument[]): Listings {
  const known = { us: new Map(us), tokens: new Map(tokens) };
  for (const member of members) {
    const listingMap = listingMapOf(known, member);
    const ticker = tickerOf(member);
    if (!listingMap.has(ticker)) listingMap.set(ticker, unlisted(member));
  }
  return known;
}

function unknownSymbolError(text: string, listings: Listings, nearest: readonly Listing[]) {
  const token = foreignPair(text, listings);
  if (token === null) return unknownSymbol(text, nearest);
  const { symbol } = token.instrument;
  return unknownSymbol(
    text,
    [...new Set([token, ...nearest])].slice(0, MAX_CANDIDATES),
    `Crypto is priced in US dollars only. Did you mean ${symbol}?`,
  );
}
