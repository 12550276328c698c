import type { Market } from "../../domain/market/market.ts";
import { type Provenance, type ProvenanceDetail, provenanceOf } from "../../domain/market/provenance.ts";
import type { PricedPicture } from "./price.ts";

/** Returns the response fields on a picture's price, market, bars and provenance. */
export function provenanceFields(
  picture: PricedPicture,
  { market, now, detail }: { readonly market: Market; readonly now: Date; readonly detail: ProvenanceDetail },
) {
  const { price, series, resolution, decidedAt, inputsHash } = picture;
  return {
    price: price.value,
    price_source: price.source,
    price_reason: price.reason,
    market_state: price.market_state,
    asset_class: resolution.instrument.asset_class,
    venue: series.venue,
    source: series.source,
    market: market.mode,
    bars: { count: series.bars.time.length, as_of: decidedAt, adjustment: series.adjustment },
    provenance: originsOf(picture, now, detail),
    inputs_hash: inputsHash,
  };
}

/** Returns the provenance of the bars and of the price; the latter is null without a quote. */
function originsOf(
  { series, decidedAt, price }: PricedPicture,
  now: Date,
  detail: ProvenanceDetail,
): { readonly bars: Provenance; readonly price: Provenance | null } {
  const { quote } = price;
  const { adjustment } = series;
  return {
    bars: provenanceOf(series, { as_of: decidedAt, delay_minutes: null, adjustment, now }, detail),
    price:
      quote === null
        ? null
        : provenanceOf(
            quote,
            { as_of: quote.timestamp, delay_minutes: quote.delayed_minutes, adjustment: "raw", now },
            detail,
          ),
  };
}
