import type { MarketState, PriceSource, Quote } from "../../domain/market/market.ts";
import { formatPriceCheck } from "../../domain/market/provenance.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type Picture, type PicturePorts, type PictureRequest, pictureOf } from "./picture.ts";

/**
 * Price shown with a signal. `value` is null with a reason if there is no current price; an older close never replaces
 * it.
 */
export interface Price {
  readonly value: number | null;
  readonly source: PriceSource | null;
  /** Time of the trade, ISO 8601 UTC. */
  readonly as_of: string | null;
  readonly market_state: MarketState | null;
  readonly reason: string | null;
  /** The provider's quote; null if none was requested or received. */
  readonly quote: Quote | null;
}

export interface PricedPicture extends Picture {
  readonly price: Price;
}

const MISSING: ReadonlySet<string> = new Set(["NO_PRICE", "UPSTREAM_UNAVAILABLE"]);
/** Maximum deviation of a live price from the decision bar's close, as a share; larger ones are usually errors. */
const MAX_DEVIATION = 0.4;

/** Price sources that count as current. */
const CURRENT: ReadonlySet<PriceSource> = new Set(["live_quote", "file_close"]);

/**
 * Returns a picture with its price: the latest quote, or the decision bar's close for a past time. Without a current
 * quote the price is null with a reason.
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

const NO_PRICE = {
  value: null,
  source: null,
  as_of: null,
  market_state: null,
  reason: null,
  quote: null,
} as const satisfies Price;

/** Returns no price, with the reason. */
export const withoutPrice = (reason: string | null): Price => ({ ...NO_PRICE, reason });

/** Returns the close of the decision bar as the price. */
const closeOf = ({ series, decidedAt }: Picture): Price => ({
  ...NO_PRICE,
  value: series.bars.close.at(-1)!,
  source: "historical_close",
  as_of: decidedAt,
});

/** Returns why the price of a quote is not called live. */
const formatDoubt = ({ origin }: Quote): string =>
  origin?.check === undefined ? "not confirmed by a second provider." : `${formatPriceCheck(origin.check)}.`;

/** Returns the quote or the failure. Never rejects: the picture reports invalid requests. */
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

const priceOf = (picture: Picture, quote: Quote | Error): Price =>
  currentPrice(quote, picture.series.bars.close.at(-1)!);

/**
 * Returns the current price of a quote, or null with the reason, beside the newest close. Throws a failure other than a
 * missing price.
 */
export function currentPrice(quote: Quote | Error, close: number): Price {
  if (quote instanceof Error) {
    if (!(quote instanceof ToolError && MISSING.has(quote.code))) throw quote;
    return withoutPrice(quote.message);
  }
  const { price, price_source, timestamp, market_state, source, currency = "USD" } = quote;
  const isFar = Math.abs(price / close - 1) > MAX_DEVIATION;
  if (price_source === "file_close") {
    const fields = { ...NO_PRICE, source: price_source, market_state };
    if (isFar)
      return {
        ...fields,
        quote,
        reason: `The newest price of the files, ${price} USD at ${timestamp}, is more than ${100 * MAX_DEVIATION}% from the decision bar's close of ${close}: the files of this symbol may be adjusted differently.`,
      };
    // the same price as in every other tool, also if its file has another timeframe than the picture's bars
    return { ...fields, value: price, as_of: timestamp };
  }
  const unpriced = { ...NO_PRICE, source: price_source, market_state, quote };
  if (price_source === "live_quote" && isFar)
    return {
      ...unpriced,
      reason: `The price of ${source}, ${price} USD at ${timestamp}, is more than ${100 * MAX_DEVIATION}% from the decision bar's close of ${close}: get_quote with verify=true compares a second provider.`,
    };
  if (currency !== "USD")
    return {
      ...unpriced,
      reason: `No price in US dollars: the last known trade is ${price} ${currency} at ${timestamp} (${source}).`,
    };
  if (price_source === "unconfirmed_quote")
    return {
      ...unpriced,
      reason: `The price of ${source}, ${price} USD at ${timestamp}, is ${formatDoubt(quote)}`,
    };
  if (CURRENT.has(price_source) && quote.origin?.stale !== true)
    return { value: price, source: price_source, as_of: timestamp, market_state, reason: null, quote };
  return {
    ...unpriced,
    reason: `No live price: the last known trade is ${price} USD at ${timestamp} (${price_source} from ${source}, market ${market_state}).`,
  };
}
