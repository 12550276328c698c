import { MISSING, momentText, plainName, price } from "../../views/format.ts";
import type { RowQuote } from "./use-prices.ts";

/** The latest price of a row with its time, and on request its source; without one the reason. */
export function LatestPrice({ quote }: { readonly quote: RowQuote | undefined }) {
  if (quote === undefined) return <span className="muted">…</span>;
  const { price: value, as_of: at, source, price_source: kind, reason } = quote;
  const isKnown = value !== null && at !== null;
  const text = isKnown
    ? `${kind === null ? "price" : plainName(kind)} of ${source}, ${momentText(at)}`
    : (reason ?? "The provider has no price");
  return (
    <span title={text}>
      {isKnown ? price(value) : MISSING}
      {isKnown && <small className="muted"> {at.slice(11, 16)}</small>}
      <span className="hidden">, {text}</span>
    </span>
  );
}
