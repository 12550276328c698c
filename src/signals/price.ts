import type { MarketState, PriceSource } from "../domain/market.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Ports, Quotes } from "../ports/index.ts";
import { type Picture, type PicturePorts, type PictureRequest, pictureOf } from "./picture.ts";

/** The price beside a signal; null with a reason, never a silent prior close. */
export interface Price {
  readonly value: number | null;
  readonly source: PriceSource | null;
  /** When it traded, ISO 8601 UTC. */
  readonly as_of: string | null;
  readonly market_state: MarketState | null;
  readonly reason: string | null;
}

/** A picture with the price of the moment beside it. */
export interface PricedPicture extends Picture {
  readonly price: Price;
}

const MISSING: ReadonlySet<string> = new Set(["NO_PRICE", "UPSTREAM_UNAVAILABLE"]);

/** A picture and its price: the latest quote, or the decision bar's close when looking back. A missing quote leaves the signal standing. */
export async function pricedPictureOf(
  request: PictureRequest,
  ports: PicturePorts & Pick<Ports, "quotes">,
): Promise<PricedPicture> {
  const picture = await pictureOf(request, ports);
  return {
    ...picture,
    price: request.as_of === undefined ? await latestPrice(picture, request, ports.quotes) : closeOf(picture),
  };
}

/** The decision bar's close, with the time at which it closed. */
const closeOf = ({ series, decidedAt }: Picture): Price => ({
  value: series.bars.close.at(-1)!,
  source: "historical_close",
  as_of: decidedAt,
  market_state: null,
  reason: null,
});

async function latestPrice(picture: Picture, { signal }: PictureRequest, quotes: Quotes): Promise<Price> {
  try {
    const { price, price_source, timestamp, market_state } = await quotes.latest(
      picture.resolution.instrument,
      {
        signal,
      },
    );
    // without a feed the close of the bars that were read is the price: another file may end elsewhere
    if (price_source === "file_close") return { ...closeOf(picture), source: price_source, market_state };
    return { value: price, source: price_source, as_of: timestamp, market_state, reason: null };
  } catch (cause) {
    if (!(cause instanceof ToolError && MISSING.has(cause.code))) throw cause;
    return { value: null, source: null, as_of: null, market_state: null, reason: cause.message };
  }
}
