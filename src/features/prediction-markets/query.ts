import type { PriceLevel } from "../../analytics/contracts/levels.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Contracts, Symbols } from "../../domain/ports.ts";
import type { Contract, ContractRow, PriceLevelRow } from "../../domain/prediction-markets/contracts.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Default topics of a query without symbol or topic. */
const DEFAULT_TOPICS = ["Fed rate", "recession", "inflation"] as const;

/** A parsed query: an instrument, topics, or an instrument combined with a topic. */
export interface ParsedQuery {
  readonly instrument: Instrument | null;
  readonly alternatives: readonly Instrument[];
  readonly topics: readonly string[];
}

/** Reads a symbol and a query. Words that are the name of one company or coin mean it; all others are a topic. */
export function parseQuery(
  { symbol, query }: { readonly symbol: string | undefined; readonly query: string | undefined },
  symbols: Symbols,
): ParsedQuery {
  if (symbol !== undefined) return { ...symbols.resolve(symbol), topics: query === undefined ? [] : [query] };
  if (query === undefined) return { instrument: null, alternatives: [], topics: DEFAULT_TOPICS };
  const named = symbols.named(query).filter((one) => symbols.familiar(one));
  const [first, ...others] = named;
  if (first !== undefined) return { instrument: first, alternatives: others, topics: [] };
  // capitals are a ticker where there is one
  const found = /^\$?[A-Z][A-Z.-]{1,9}$/.test(query) ? symbols.find(query) : null;
  return found === null ? { instrument: null, alternatives: [], topics: [query] } : { ...found, topics: [] };
}

/** The venues to ask; null for all. Throws INVALID_INPUT for one that is not connected, naming those that are. */
export function parseVenues(
  venue: string | undefined,
  { venues, missing }: Pick<Contracts, "venues" | "missing">,
): readonly string[] | null {
  if (venue === undefined) return null;
  const names = venues().map(({ name }) => name);
  if (names.includes(venue)) return [venue];
  const detail = names.length === 0 ? "must be left out" : `must be one of ${names.join(", ")}`;
  throw new ToolError("INVALID_INPUT", `venue ${detail}`, {
    ...(missing !== null && { hint: missing }),
    data: { errors: [{ pointer: "/venue", detail }] },
  });
}

/** A contract without what only links it. */
export function rowOf({
  event: _,
  event_title: __,
  strike: ___,
  keywords: ____,
  ...row
}: Contract): ContractRow {
  return row;
}

/** The level of a contract as callers see it. */
export const levelRow = (level: PriceLevel | null): PriceLevelRow | null =>
  level === null ? null : { ...level, by: level.by === null ? null : new Date(level.by).toISOString() };
