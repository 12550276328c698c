import type { Market } from "../../domain/market/market.ts";
import { type ProvenanceDetail, provenanceOf } from "../../domain/market/provenance.ts";
import type { PricedPicture } from "./price.ts";

/** Returns the response fields on a picture's price, market, bars and provenance. */
export function provenanceFields(
  picture: PricedPicture,
  { market, now, detail }: { readonly market: Market; readonly now: Date; readonly detail: ProvenanceDetail },
) {
  const { price, series, resolution, decidedAt, inputsHash } = picture;
  const { adjustment } = series;
  const { quote } = price;
  return {
    price: price.value,
    price_source: price.source,
    price_reason: price.reason,
    market_state: price.market_state,
    asset_class: resolution.instrument.asset_class,
    venue: series.venue,
    source: series.source,
    market: market.mode,
    bars: { count: series.bars.time.length, as_of: decidedAt, adjustment },
    provenance: {
      bars: provenanceOf(series, { as_of: decidedAt, delay_minutes: null, adjustment, now }, detail),
      price:
        quote &&
        provenanceOf(
          quote,
          { as_of: quote.timestamp, delay_minutes: quote.delayed_minutes, adjustment: "raw", now },
          detail,
        ),
    },
    inputs_hash: inputsHash,
  };
}
