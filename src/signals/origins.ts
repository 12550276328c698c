import { type Provenance, type ProvenanceDetail, provenanceOf } from "../domain/provenance.ts";
import type { PricedPicture } from "./price.ts";

/** Where the bars and the price of a picture come from; the price's is null where no quote was had. */
export function originsOf(
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
