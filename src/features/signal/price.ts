import type { MarketState, PriceSource, Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type Picture, type PicturePorts, type PictureRequest, pictureOf } from "./picture.ts";

/** Current price shown with a signal. Null with a reason if unknown; a prior close is never substituted. */
export interface Price {
  readonly value: number | null;
  readonly source: PriceSource | null;
  /** When it traded, ISO 8601 UTC. */
  readonly as_of: string | null;
  readonly market_state: MarketState | null;
  readonly reason: string | null;
  /** The provider's quote; null if none was requested. */
  readonly quote: Quote | null;
}

/** A picture with the current price. */
export interface PricedPicture extends Picture {
  readonly price: Price;
}

const MISSING: ReadonlySet<string> = new Set(["NO_PRICE", "UPSTREAM_UNAVAILABLE"]);
/** A price so far from the close that was decided on, up or down, is more often a wrong number than news. */
const MAX_DEVIATION = 0.4;

/** A price that is of now: the others belong to a quote, which says how old they are. */
const CURRENT: ReadonlySet<PriceSource> = new Set(["live_quote", "file_close"]);

/**
 * A picture and its price: the latest quote, or the decision bar's close when looking back. A quote that is missing,
 * late or of a session that is over leaves the signal standing without a price, and says why.
 */
export async function pricedPictureOf(
  request: PictureRequest,
  ports: PicturePorts & Pick<Ports, "quotes">,
): Promise<PricedPicture> {
  if (request.as_of !== undefined) {
    const picture = await pictureOf(request, ports);
    return { ...picture, price: closeOf(picture) };
  }
  // the quote is fetched while the picture is built
  const pendingQuote = latestQuote(request, ports);
  const picture = await pictureOf(request, ports);
  return { ...picture, price: priceOf(picture, await pendingQuote) };
}

/** The decision bar's close, with the time at which it closed. */
const closeOf = ({ series, decidedAt }: Picture): Price => ({
  value: series.bars.close.at(-1)!,
  source: "historical_close",
  as_of: decidedAt,
  market_state: null,
  reason: null,
  quote: null,
});

/** The quote, or the failure that it is missing by. Never rejects: the picture says what is wrong with a request. */
async function latestQuote(
  { symbol, signal }: PictureRequest,
  { symbols, quotes }: Pick<Ports, "symbols" | "quotes">,
): Promise<Quote | Error> {
  try {
    const found = symbols.find(symbol);
    return found === null
      ? new ToolError("UNKNOWN_SYMBOL", "")
      : await quotes.latest(found.instrument, { signal });
  } catch (cause) {
    return cause instanceof Error ? cause : new Error("no quote", { cause });
  }
}

function priceOf(picture: Picture, quote: Quote | Error): Price {
  if (quote instanceof Error) {
    if (!(quote instanceof ToolError && MISSING.has(quote.code))) throw quote;
    return { value: null, source: null, as_of: null, market_state: null, reason: quote.message, quote: null };
  }
  const { price, price_source, timestamp, market_state, source } = quote;
  // without a feed the close of the bars that were read is the price: another file may end elsewhere
  if (price_source === "file_close") return { ...closeOf(picture), source: price_source, market_state };
  const close = picture.series.bars.close.at(-1)!;
  if (price_source === "live_quote" && Math.abs(price / close - 1) > MAX_DEVIATION)
    return {
      value: null,
      source: price_source,
      as_of: null,
      market_state,
      reason: `The price of ${source}, ${price} USD at ${timestamp}, is more than ${100 * MAX_DEVIATION}% from the close of ${close} that was decided on: get_quote with verify=true asks a second source.`,
      quote,
    };
  if (CURRENT.has(price_source) && quote.origin?.stale !== true)
    return { value: price, source: price_source, as_of: timestamp, market_state, reason: null, quote };
  return {
    value: null,
    source: price_source,
    as_of: null,
    market_state,
    reason: `No live price: the last trade known is ${price} USD at ${timestamp} (${price_source} from ${source}, market ${market_state}).`,
    quote,
  };
}
