import type { PriceLevel } from "../../analytics/contracts/levels.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Contracts, Symbols } from "../../domain/ports.ts";
import type { Contract, ContractRow, PriceLevelRow } from "../../domain/prediction-markets/contracts.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Topics of a request without a symbol or query. */
const DEFAULT_TOPICS = ["Fed rate", "recession", "inflation"] as const;

/** A parsed query: an instrument, topics, or an instrument combined with a topic. */
export interface ParsedQuery {
  readonly instrument: Instrument | null;
  readonly alternatives: readonly Instrument[];
  readonly topics: readonly string[];
}

/**
 * Parses a symbol and a query. A query that is exactly the name of a company or coin, or its ticker in capital letters,
 * means that instrument; any other query is a topic.
 */
export function parseQuery(
  { symbol, query }: { readonly symbol: string | undefined; readonly query: string | undefined },
  symbols: Symbols,
): ParsedQuery {
  if (symbol !== undefined) return { ...symbols.resolve(symbol), topics: query === undefined ? [] : [query] };
  if (query === undefined) return { instrument: null, alternatives: [], topics: DEFAULT_TOPICS };
  const named = symbols.named(query).filter((one) => symbols.familiar(one));
  const [first, ...others] = named;
  if (first !== undefined) return { instrument: first, alternatives: others, topics: [] };
  // a query in capital letters is read as a ticker if that ticker exists
  const found = /^\$?[A-Z][A-Z.-]{1,9}$/.test(query) ? symbols.find(query) : null;
  return found === null ? { instrument: null, alternatives: [], topics: [query] } : { ...found, topics: [] };
}

/**
 * Returns the venues to search; null for all. Throws INVALID_INPUT for a venue that is not connected and lists the
 * connected ones.
 */
export function parseVenues(
  venue: string | undefined,
  { venues, missing }: Pick<Contracts, "venues" | "missing">,
): readonly string[] | null {
  if (venue === undefined) return null;
  const names = venues().map(({ name }) => name);
  if (names.includes(venue)) return [venue];
  const detail = names.length === 0 ? "must be omitted" : `must be one of ${names.join(", ")}`;
  throw new ToolError("INVALID_INPUT", `venue ${detail}`, {
    ...(missing !== null && { hint: missing }),
    data: { errors: [{ pointer: "/venue", detail }] },
  });
}

/** Returns a contract without the fields that are used only for matching. */
export function rowOf({
  event: _,
  event_title: __,
  strike: ___,
  keywords: ____,
  ...row
}: Contract): ContractRow {
  return row;
}

export const levelRow = (level: PriceLevel | null): PriceLevelRow | null =>
  level === null ? null : { ...level, by: level.by === null ? null : new Date(level.by).toISOString() };
