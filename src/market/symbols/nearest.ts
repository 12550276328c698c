import { editDistance } from "../../lib/edit-distance.ts";
import type { Listing, Listings } from "./listings.ts";
import { bits, fold, lettersOf, squeeze } from "./name-letters.ts";

interface Query {
  readonly all: string;
  readonly letters: number;
  readonly words: readonly string[];
}

interface Entry {
  readonly listing: Listing;
  readonly ticker: string;
  readonly names: readonly string[];
  readonly words: readonly string[];
  /** Bit sets of the letters of the ticker, then of each name. */
  readonly letters: readonly number[];
  /** Bit set of all letters in the ticker and the names. */
  readonly anyLetter: number;
}

/** Kinds of matches, best first; a fuzzy match adds its distance. */
const EXACT_TICKER = 0;
const EXACT_NAME = 1;
const PREFIX = 2;
const WORD = 3;
const INSIDE = 4;
const FUZZY = 5;
const NO_MATCH = Number.POSITIVE_INFINITY;
const MAX_EDITS = 2;
const MAX_QUERY_LENGTH = 40;
const MAX_NAME_LENGTH = 80;

/** Returns searches over tickers, names and aliases that ignore case, accents and punctuation. */
export function namesIn({ us, tokens }: Listings) {
  const entries = [...us.values(), ...tokens.values()].map(entryOf);
  const bearers = new Map<string, Listing[]>();
  for (const { listing, names } of entries)
    for (const name of new Set(names)) bearers.set(name, [...(bearers.get(name) ?? []), listing]);
  /** Returns the listings with exactly this name; only the familiar ones if there are any. */
  const named = (text: string): readonly Listing[] => {
    const typed = squeeze(text.slice(0, MAX_NAME_LENGTH));
    const found = typed === "" ? [] : (bearers.get(typed) ?? []);
    const familiar = found.filter((listing) => listing.familiar);
    return familiar.length > 0 ? familiar : found;
  };
  /** Returns the listings nearest to a text, best first; at most `limit`, empty if none is near. */
  const nearest = (text: string, limit: number): readonly Listing[] => {
    const typed = squeeze(text.slice(0, MAX_QUERY_LENGTH));
    const base = /^(.{2,})usd[tc]?$/.exec(typed)?.[1];
    const pool = base === undefined ? entries : entries.filter(({ listing }) => isToken(listing));
    const all = base ?? typed;
    const query = { all, letters: lettersOf(all), words: tokenize(text.slice(0, MAX_QUERY_LENGTH)) };
    const found: { readonly listing: Listing; readonly score: number }[] = [];
    for (const entry of pool) {
      const score = scoreOf(entry, query);
      if (score < NO_MATCH) found.push({ listing: entry.listing, score });
    }
    return found
      .sort((a, b) => a.score - b.score || a.listing.rank - b.listing.rank)
      .slice(0, Math.max(0, limit))
      .map(({ listing }) => listing);
  };
  return { nearest, named };
}

function entryOf(listing: Listing): Entry {
  const known = [listing.instrument.name, ...listing.aliases];
  const ticker = squeeze(listing.ticker);
  const names = known.map(squeeze);
  const letters = [ticker, ...names].map(lettersOf);
  return {
    listing,
    ticker,
    names,
    words: known.flatMap(tokenize),
    letters,
    anyLetter: letters.reduce((all, some) => all | some, 0),
  };
}

function scoreOf(entry: Entry, { all, letters, words }: Query): number {
  const { ticker, names } = entry;
  if (all === "") return NO_MATCH;
  // if more than two letters of the text are missing, only a single word of several can match
  if (words.length < 2 && bits(letters & ~entry.anyLetter) > MAX_EDITS) return NO_MATCH;
  if (ticker === all) return EXACT_TICKER;
  if (names.includes(all)) return EXACT_NAME;
  if (ticker.startsWith(all)) return PREFIX;
  if (all.length < 2) return NO_MATCH;
  if (names.some((name) => name.startsWith(all))) return PREFIX;
  if (words.length > 1 && words.some((word) => word.length > 2 && (word === ticker || names.includes(word))))
    return WORD;
  if (entry.words.some((word) => word.startsWith(all))) return WORD;
  if (all.length > 3 && names.some((name) => name.includes(all))) return INSIDE;
  return fuzzy(entry, all, letters);
}

function fuzzy({ ticker, names, letters }: Entry, all: string, own: number): number {
  let best = NO_MATCH;
  const weigh = (name: string, max: number, other: number) => {
    // each letter that only one of them has costs at least one edit
    if (bits(own & ~other) > max || bits(other & ~own) > max) return;
    const distance = editDistance(all, name, max);
    if (distance <= max) best = Math.min(best, FUZZY + distance);
  };
  if (all.length > 3 || (all.length === 3 && all[0] === ticker[0])) weigh(ticker, 1, letters[0]!);
  if (all.length > 3)
    for (const [i, name] of names.entries()) weigh(name, all.length > 6 ? MAX_EDITS : 1, letters[i + 1]!);
  return best;
}

const isToken = ({ instrument }: Listing): boolean => instrument.asset_class === "crypto";

const tokenize = (text: string): readonly string[] =>
  fold(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
