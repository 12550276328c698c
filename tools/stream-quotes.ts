import { z } from "zod";
import { Alternatives, Figure, Iso, MarketMode, named, Success, symbolList } from "../src/domain/answers.ts";
import { Percent, Price } from "../src/domain/figures.ts";
import { AssetClass, type Instrument, MarketState, PriceSource } from "../src/domain/market/market.ts";
import { withAlternativesHint } from "../src/features/signal/missing-data.ts";
import { asToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { mapConcurrent } from "../src/lib/concurrency.ts";

const MAX_SYMBOLS = 20;
const NO_PRICE = {
  price: null,
  change: null,
  changePercent: null,
  source: null,
  venue: null,
  timestamp: null,
  price_source: null,
  market_state: null,
  delayed_minutes: null,
  stale: false,
  feed: "poll",
} as const;

/**
 * Returns the latest prices of up to 20 symbols; its stream sends each new one. Throws the first error if no symbol has
 * a price.
 */
export const streamQuotes = defineTool({
  name: "stream_quotes",
  title: "Stream quotes",
  description:
    "Streams the newest prices of up to 20 symbols as they trade, each with whether it comes from a live provider stream or from polling. Use it to follow, watch or subscribe to several symbols tick by tick. One call answers with the newest of each; the stream of the REST API pushes every new one. get_quotes adds day range, volume, bid and ask.",
  topics: ["stream quotes", "real-time feed", "tick by tick", "price ticks", "follow the price"],
  toolset: "market",
  listed: false,
  plan: "member",
  effect: "read",
  route: "GET /api/v1/quotes/feed",
  http: {
    stream: {
      of: "quotes",
      route: "GET /api/v1/quotes/stream",
      title: "Prices as they trade",
      description:
        "Streams the newest price of each symbol, at most twice a second. Where no provider stream is open, prices are polled; `feed` says which.",
    },
  },
  cli: { command: "prices" },
  needs: ["symbols", "quotes", "quoteStreams", "clock", "market"],
  input: z.object({
    symbols: symbolList(MAX_SYMBOLS).describe(`At most ${MAX_SYMBOLS} tickers or pairs`),
  }),
  output: z.object({
    ok: Success,
    as_of: Iso,
    quotes: z.array(
      z.object({
        symbol: z.string(),
        asset_class: AssetClass,
        price: Price.nullable().describe("USD; null with a reason"),
        change: Price.nullable().describe("Change from the previous close, USD"),
        changePercent: Percent.nullable().describe("Change from the previous close, percent"),
        source: z.string().nullable().describe("Provider of the price; `sample` is simulated"),
        venue: z.string().nullable(),
        timestamp: Iso.nullable().describe("Time of the trade at this price"),
        price_source: PriceSource.nullable(),
        market_state: MarketState.nullable(),
        delayed_minutes: Figure.describe("Delay of the feed, minutes"),
        stale: z.boolean().describe("true: no provider responds now, this is the last known price"),
        feed: z.enum(["stream", "poll"]).describe("stream: from an open provider stream; poll: requested"),
        reason: z.string().nullable().describe("Why there is no price; null with one"),
      }),
    ),
    watching: z.array(z.string()).describe("Symbols, without duplicates"),
    alternatives: Alternatives,
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Follow the prices of Apple, Nvidia and bitcoin",
      input: { symbols: ["AAPL", "NVDA", "BTC/USD"] },
    },
    { ask: "Stream quotes of SPY and QQQ", input: { symbols: ["SPY", "QQQ"] } },
  ],
  terminal: ({ quotes }, paint) =>
    quotes
      .map(({ symbol, price, changePercent, price_source, source, timestamp, feed, reason }) =>
        price === null
          ? `${paint("bold", symbol)} ${paint("yellow", `no price: ${reason}`)}`
          : `${paint("bold", symbol)} ${price} USD${changePercent === null ? "" : ` (${changePercent}%)`} ${paint("dim", `${price_source} from ${source}, traded ${timestamp}, ${feed}`)}`,
      )
      .join("\n"),

  async handler({ symbols: names }, { symbols, quotes, clock, market, signal }) {
    const resolutions = [
      ...new Map(
        names.map((name) => symbols.resolve(name)).map((one) => [one.instrument.symbol, one]),
      ).values(),
    ];
    const failures: unknown[] = [];
    const instruments = resolutions.map(({ instrument }) => instrument);
    await quotes.prefetch?.(instruments, { signal });
    const rows = await mapConcurrent(
      resolutions,
      async (resolution) => {
        const { instrument } = resolution;
        try {
          const quote = await withAlternativesHint(resolution, symbols, () =>
            quotes.latest(instrument, { signal }),
          );
          const { volume: _, high: _high, low: _low, open: _open, origin, ...figures } = quote;
          return {
            ...subjectOf(instrument),
            ...figures,
            stale: origin?.stale ?? false,
            feed: origin?.served_from === "stream" ? ("stream" as const) : ("poll" as const),
            reason: null,
          };
        } catch (cause) {
          signal.throwIfAborted();
          const error = asToolError(cause);
          if (error.code === "INTERNAL") throw cause;
          failures.push(cause);
          return { ...subjectOf(instrument), ...NO_PRICE, reason: error.message };
        }
      },
      () => {},
    );
    if (failures.length === rows.length) throw failures[0];
    return {
      as_of: clock.now().toISOString(),
      quotes: rows,
      watching: rows.map(({ symbol }) => symbol),
      alternatives: resolutions.flatMap(({ alternatives }) => alternatives.map(named)),
      market: market.mode,
    };
  },
});

const subjectOf = ({ symbol, asset_class }: Instrument) => ({ symbol, asset_class });
