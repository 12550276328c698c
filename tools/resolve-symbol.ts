import { z } from "zod";
import { Named, named, Success } from "../src/domain/answers.ts";
import { findByName } from "../src/domain/market/resolve-name.ts";
import { defineTool } from "../src/kernel/tool.ts";

const Match = Named.extend({
  sector: z.string().nullable(),
  in_market: z.boolean().describe("true: the market has data"),
});

/** Resolves a name to a symbol and its alternatives. An unknown name gives null, not an error. */
export const resolveSymbol = defineTool({
  name: "resolve_symbol",
  title: "Resolve symbol",
  description:
    "Resolves a ticker, company or token name, even one typed wrong, to its one canonical symbol, with asset class, alternatives and near matches. Use it to find which ticker or symbol a user meant or a company or coin trades under now, of which shares, what it could be read as, its right spelling, whether a name is ambiguous, or after UNKNOWN_SYMBOL. Prices are in get_quote.",
  topics: [
    "ticker symbol",
    "what's the ticker",
    "symbol lookup",
    "canonical symbol",
    "unknown symbol",
    "misspelled ticker",
    "ambiguous name",
    "stock or token",
  ],
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/resolve",
  cli: { command: "resolve" },
  needs: ["symbols"],
  input: z.object({
    query: z.string().trim().min(1).max(80).describe("Ticker, pair, company or token name"),
  }),
  output: z.object({
    ok: Success,
    query: z.string().describe("Query as sent"),
    symbol: z.string().nullable().describe("Canonical symbol; null if the query matches none or several"),
    match: Match.nullable(),
    alternatives: z.array(Match).describe("Other instruments that match the same name"),
    note: z
      .string()
      .nullable()
      .describe("Explains a query that is an index, a former ticker or a delisted company; else null"),
    candidates: z.array(Match).describe("Near matches by symbol and name, best first"),
  }),
  examples: [
    { ask: "What is Berkshire Hathaway's ticker?", input: { query: "berkshire" } },
    { ask: "Is LINK the stock or the token?", input: { query: "LINK" } },
  ],

  terminal({ query, match, candidates, note }, paint) {
    const list = (found: readonly { readonly symbol: string; readonly name: string }[]) =>
      found.map(({ symbol, name }) => `${symbol} (${name})`).join(", ");
    return [
      match === null
        ? `No single instrument is named "${query}".`
        : `"${query}" is ${paint("bold", match.symbol)}, ${match.name} (${match.asset_class})${match.in_market ? "" : "; this market has no data on it"}.`,
      ...(note === null ? [] : [note]),
      ...(candidates.length === 0 ? [] : [`Similar names: ${list(candidates)}.`]),
    ].join("\n");
  },

  handler({ query }, { symbols }) {
    const members = new Set(symbols.members().map(({ symbol }) => symbol));
    const shown = (instrument: Parameters<typeof named>[0]) => ({
      ...named(instrument),
      sector: instrument.sector,
      in_market: members.has(instrument.symbol),
    });
    const other = symbols.notListed?.(query) ?? null;
    const read = findByName(query, symbols);
    const taken = new Set([read?.instrument, ...(read?.alternatives ?? [])].map((one) => one?.symbol));
    return {
      query,
      symbol: read?.instrument.symbol ?? null,
      match: read === null ? null : shown(read.instrument),
      alternatives: read?.alternatives.map(shown) ?? [],
      note: other === null ? null : `${query} ${other.reason}. ${other.hint}`,
      candidates: (other?.kind === "delisted" ? [] : symbols.search(query, 8))
        .filter(({ symbol }) => !taken.has(symbol))
        .slice(0, 5)
        .map(shown),
    };
  },
});
