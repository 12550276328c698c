import { createHash } from "node:crypto";
import { type Instrument, kindOf, type Market, type MarketKind } from "../../domain/market/market.ts";
import type { RunUniverse } from "../../domain/nightly/engine-port.ts";
import type { Symbols } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import { embeddedListings, tickerOf } from "../../market/symbols/listings.ts";

const DAY = 86_400_000;

/**
 * Lists the canonical symbols of a universe in order. With live prices `sp500` is the large US stocks of the embedded
 * table and `crypto` its major tokens; otherwise they are all stocks and funds, and all tokens. Unknown names in a file
 * are unchanged.
 */
export function membersOf(
  universe: RunUniverse,
  { symbols, market }: { readonly symbols: Symbols; readonly market: Market },
): readonly string[] {
  if ("symbols" in universe) {
    const named = universe.symbols.map((text) => symbols.find(text)?.instrument.symbol ?? text);
    return [...new Set(named)].sort();
  }
  const { name } = universe;
  const chosen = market.mode === "live" ? majors() : null;
  return symbols
    .members()
    .filter((one) => chosen === null || chosen.has(one.symbol))
    .filter((one) => name === "all" || (name === "crypto") === (kindOf(one) === "crypto"))
    .map(({ symbol }) => symbol)
    .sort();
}

/** Sorts instruments by size: the best known of each sector or kind first, as in the embedded table. */
export function largestFirst(instruments: readonly Instrument[]): readonly Instrument[] {
  const { us, tokens } = embeddedListings();
  const rankOf = (one: Instrument) =>
    (one.asset_class === "crypto" ? tokens : us).get(tickerOf(one))?.rank ?? Number.MAX_SAFE_INTEGER;
  const ranked = instruments.map((instrument) => ({ instrument, rank: rankOf(instrument) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ instrument }) => instrument);
}

export const noMembers = (universe: string): ToolError =>
  new ToolError("INVALID_INPUT", `The universe ${universe} has no members in this market`, {
    hint: "The universe `all` contains every instrument of this market.",
  });

/** Returns the symbols of large US stocks and major tokens. */
function majors(): ReadonlySet<string> {
  const { us, tokens } = embeddedListings();
  const stocks = [...us.values()].filter(({ instrument: { sector } }) => sector !== null);
  const coins = [...tokens.values()].filter(({ major }) => major);
  return new Set([...stocks, ...coins].map(({ instrument }) => instrument.symbol));
}

/** Returns a hash that identifies the members. */
export const hashOf = (members: readonly string[]): string =>
  createHash("sha256").update(members.join("\n")).digest("hex").slice(0, 16);

/**
 * Returns the newest daily close at `now`, epoch ms: the last New York session for stocks, 00:00 UTC for crypto and the
 * sample market, and the later of both for a universe with stocks and crypto.
 */
export function newestClose(kinds: ReadonlySet<MarketKind>, now: number, mode: Market["mode"]): number {
  const midnight = Math.floor(now / DAY) * DAY;
  if (mode === "sample" || !kinds.has("stocks")) return midnight;
  const session = lastSessionClose(now);
  return kinds.has("crypto") ? Math.max(midnight, session) : session;
}

/** Returns the newest daily close of the symbols at `now` (epoch ms) as ISO 8601 UTC. */
export function closeOf(
  members: readonly string[],
  now: number,
  { symbols, market }: { readonly symbols: Symbols; readonly market: Market },
): string {
  const known = members.flatMap((symbol) => symbols.find(symbol)?.instrument ?? []);
  return new Date(newestClose(new Set(known.map(kindOf)), now, market.mode)).toISOString();
}

function lastSessionClose(now: number): number {
  for (let day = newYorkDay(now); ; day -= DAY) {
    const close = sessionOf(new Date(day).toISOString().slice(0, 10))?.close;
    if (close !== undefined && close <= now) return close;
  }
}
