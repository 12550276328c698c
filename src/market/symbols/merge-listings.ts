import type { TokenRow, UsRow } from "../../domain/market/listing-repository-port.ts";
import { type Listing, type Listings, listed, token } from "./listings.ts";
import { NO_TOKEN, pairOf } from "./parse-symbol.ts";

/** Rows of downloaded lists. */
export interface ListedRows {
  readonly us: readonly UsRow[];
  readonly tokens: readonly TokenRow[];
}

/**
 * Rank offset of instruments known only from downloaded lists: after embedded ones, before unlisted members of a
 * market.
 */
const RANK_OFFSET = 100_000;

/**
 * Merges downloaded lists into the embedded listings. Embedded listings keep their name, aliases, sector and rank, even
 * if delisted. A ticker reassigned to a company with an unrelated name becomes the listing of that company. New tokens
 * are never major. Omits tokens whose base is not alphanumeric, is a currency, or is the pair of another token. Of two
 * tokens with the same base, the one with the higher market value is used.
 */
export function mergeListings(embedded: Listings, rows: ListedRows): Listings {
  const tokens = withTokens(embedded.tokens, rows.tokens);
  const us = new Map(embedded.us);
  for (const [place, { ticker, name, asset_class }] of rows.us.entries()) {
    const known = embedded.us.get(ticker);
    if (known !== undefined && isNamed(known, name)) continue;
    us.set(ticker, listed(unrankedRow(ticker, name, place), asset_class, null, tokens));
  }
  return { us, tokens };
}

const unrankedRow = (ticker: string, name: string, place: number) => ({
  ticker,
  name,
  aliases: [],
  major: false,
  rank: RANK_OFFSET + place,
  familiar: false,
});

function withTokens(embedded: Listings["tokens"], rows: readonly TokenRow[]): Listings["tokens"] {
  const all = new Map(embedded);
  for (const { base, name, rank } of [...rows].sort((a, b) => a.rank - b.rank))
    if (/^[A-Z0-9]{1,12}$/.test(base) && !NO_TOKEN.has(base) && !all.has(base))
      all.set(base, token(unrankedRow(base, name, rank)));
  return new Map([...all].filter(([base]) => embedded.has(base) || pairOf(base, all) === undefined));
}

/** Returns true if a listed name shares a distinctive word with the embedded listing. */
function isNamed({ instrument, aliases }: Listing, name: string): boolean {
  const words = new Set(distinctiveWords(name));
  return [instrument.name, ...aliases].some((known) =>
    distinctiveWords(known).some((word) => words.has(word)),
  );
}

/** Words common in company names. */
const COMMON_NAME_WORDS = new Set(
  "and class co common company corp corporation etf fund group holding holdings inc limited ltd of plc shares stock the trust".split(
    " ",
  ),
);
const distinctiveWords = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .replace(/['’.]/g, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !COMMON_NAME_WORDS.has(word));
