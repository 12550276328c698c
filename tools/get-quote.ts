import { z } from "zod";
import { Alternatives, Figure, Iso, named, Success, SymbolText } from "../src/domain/answers.ts";
import { Percent, Price } from "../src/domain/figures.ts";
import { PriceCurrency } from "../src/domain/market/currency.ts";
import { IndexNote, MarketState, PriceSource, QuotedClass } from "../src/domain/market/market.ts";
import {
  formatProvenance,
  Provenance,
  ProvenanceDetail,
  provenanceOf,
} from "../src/domain/market/provenance.ts";
import { findIndex, withoutVolume } from "../src/features/indices/find-index.ts";
import { withAlternativesHint } from "../src/features/signal/missing-data.ts";
import { defineTool } from "../src/kernel/tool.ts";

/**
 * Returns the latest price of one instrument or level of one index, with its time, venue and delay. Throws NO_PRICE if
 * there is no price; never returns 0.
 */
export const getQuote = defineTool({
  name: "get_quote",
  title: "Get quote",
  description:
    "Returns the live price quote of one US stock, ETF, crypto pair or index: the current price right now, last traded price, how much up or down today, range, volume, whether it is live. Use it for a price check and nothing else: what a share or coin costs or is trading at this minute. Past bars are in get_history, a verdict in get_signal.",
  topics: [
    "stock price",
    "share price",
    "current price",
    "price right now",
    "price quote",
    "how much is",
    "trading at",
    "index level",
    "last price",
  ],
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/quote/:symbol",
  cli: { command: "quote", everyday: "Shows the current price." },
  needs: ["symbols", "quotes", "indices", "clock", "answers"],
  input: z.object({
    symbol: SymbolText,
    provenance: ProvenanceDetail,
    verify: z.boolean().default(false).describe("true: compare with a second provider"),
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    asset_class: QuotedClass,
    venue: z.string(),
    data: z.object({
      price: Price.describe("USD; of an index points"),
      change: Price.nullable().describe("Change from the previous close, USD"),
      changePercent: Percent.nullable().describe("Change from the previous close, percent"),
      volume: Figure,
      high: Price.nullable(),
      low: Price.nullable(),
      open: Price.nullable(),
      source: z.string().describe("Provider that supplied the figures; `sample` is simulated"),
      timestamp: Iso.describe("Time of the trade at this price"),
      price_source: PriceSource,
      market_state: MarketState,
      delayed_minutes: Figure.describe(
        "Delay of the feed, minutes; null if the price does not come from a feed",
      ),
      currency: PriceCurrency.nullable().describe("null for an index"),
    }),
    index_note: IndexNote,
    provenance: Provenance,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "What is Nvidia trading at?", input: { symbol: "NVDA" } },
    { ask: "What does one bitcoin cost?", input: { symbol: "BTC/USD" } },
  ],
  terminal({ symbol, venue, data, provenance, index_note: note }, paint) {
    const { price, change, changePercent, currency } = data;
    const up = change === null || change >= 0;
    const share = changePercent === null ? "" : ` (${signed(changePercent, 2)}%)`;
    const moved = change === null ? "" : ` ${signed(change, price >= 1 ? 2 : 6)}${share}`;
    return [
      `${paint("bold", symbol)} ${price} ${currency ?? "points"}${paint(up ? "green" : "red", moved)}`,
      ...(data.high === null || data.low === null
        ? []
        : [`day ${data.low} - ${data.high}, open ${data.open ?? "none"}, volume ${data.volume ?? "none"}`]),
      ...(note === undefined ? [] : [paint("dim", note)]),
      paint("dim", `${data.price_source} from ${data.source} (${venue}), traded ${data.timestamp}`),
      ...formatProvenance(provenance).map((line) => paint(provenance.stale ? "yellow" : "dim", line)),
    ].join("\n");
  },

  async handler({ symbol, provenance, verify }, { symbols, quotes, indices, clock, signal }) {
    const index = findIndex(symbol, { symbols, indices });
    const resolution = index?.resolution ?? symbols.resolve(symbol);
    const { instrument, alternatives } = resolution;
    const quote = await withAlternativesHint(resolution, symbols, () =>
      (index === null ? quotes : indices.quotes).latest(instrument, { signal, verify }),
    );
    const { venue, origin: _, currency = instrument.currency, ...data } = quote;
    const source = provenanceOf(
      quote,
      {
        as_of: quote.timestamp,
        delay_minutes: quote.delayed_minutes,
        adjustment: "raw",
        now: clock.now(),
      },
      provenance,
    );
    return {
      symbol: instrument.symbol,
      asset_class: index === null ? instrument.asset_class : ("index" as const),
      venue,
      data: { ...data, currency: index === null ? currency : null },
      ...(index !== null && { index_note: index.note }),
      provenance: index === null ? source : withoutVolume(source),
      alternatives: alternatives.map(named),
    };
  },
});

const signed = (value: number, digits: number): string =>
  `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(digits)}`;
