import { z } from "zod";
import { Figure, MarketMode, Success, symbolList } from "../src/domain/answers.ts";
import { ProvenanceDetail } from "../src/domain/market/provenance.ts";
import { QuoteError, QuoteRow } from "../src/domain/market/quote-row.ts";
import { formatQuotes } from "../src/features/signal/quotes.text.ts";
import { readQuotes } from "../src/features/signal/quotes.ts";
import { defineTool } from "../src/kernel/tool.ts";

const MAX_SYMBOLS = 50;

/** Returns the latest prices of up to 50 symbols; failed symbols are listed separately. */
export const getQuotes = defineTool({
  name: "get_quotes",
  title: "Get quotes",
  description:
    "Returns the latest prices of up to 50 stocks, ETFs and crypto pairs in one call: price, change, day range, volume, bid and ask, and whether each is live. Use it for the prices of a list, a watchlist or a portfolio. One symbol with a second provider is in get_quote, a ranking by signal in scan_symbols.",
  topics: ["multiple quotes", "watchlist prices", "portfolio prices", "price table", "bid and ask"],
  toolset: "market",
  plan: "individual",
  effect: "read",
  route: "GET /api/v1/quotes",
  cli: { command: "quotes" },
  needs: ["symbols", "quotes", "clock", "market", "log", "answers"],
  input: z.object({
    symbols: symbolList(MAX_SYMBOLS).describe("At most 50 tickers or pairs"),
    provenance: ProvenanceDetail,
  }),
  output: z.object({
    ok: Success,
    quotes: z.array(QuoteRow).describe("In the order of the request, each instrument once"),
    count: z.number().int().describe("Number of quotes"),
    requested: z.number().int().describe("Number of distinct symbols requested"),
    errors: z.array(QuoteError).describe("Symbols without a quote, and why"),
    provider_calls: Figure.describe(
      "Requests to providers for this answer: 1 to 4 if one has lists of quotes, else at least one per symbol; null without a network",
    ),
    market: MarketMode,
  }),
  examples: [
    { ask: "What are Apple, Microsoft and bitcoin at?", input: { symbols: ["AAPL", "MSFT", "BTC-USD"] } },
    { ask: "Prices of SPY and QQQ", input: { symbols: ["SPY", "QQQ"] } },
  ],
  terminal: formatQuotes,

  async handler({ symbols, provenance }, ctx) {
    const { rows, errors, requested, providerCalls } = await readQuotes({ symbols, detail: provenance }, ctx);
    return {
      quotes: rows,
      count: rows.length,
      requested,
      errors,
      provider_calls: providerCalls,
      market: ctx.market.mode,
    };
  },
});
