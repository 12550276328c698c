import { formatPriceCheck } from "../../domain/market/provenance.ts";
import type { QuoteError, QuoteRow } from "../../domain/market/quote-row.ts";
import type { Paint } from "../../domain/terminal.ts";

/** Formats quotes with one line per symbol, and the symbols without a quote. */
export function formatQuotes(
  { quotes, errors }: { readonly quotes: readonly QuoteRow[]; readonly errors: readonly QuoteError[] },
  paint: Paint,
): string {
  return [
    ...quotes.flatMap((row) => formatRow(row, paint)),
    ...errors.map(({ symbol, code, message, hint }) =>
      paint("yellow", [`${symbol} ${code}: ${message}`, hint].filter(Boolean).join(". ")),
    ),
  ].join("\n");
}

function formatRow(
  { symbol, price, currency, changePercent, bid, ask, price_source, source, timestamp, provenance }: QuoteRow,
  paint: Paint,
): readonly string[] {
  const moved = changePercent === null ? "" : ` ${changePercent < 0 ? "" : "+"}${changePercent.toFixed(2)}%`;
  const spread = bid === null || ask === null ? "" : `, bid ${bid}, ask ${ask}`;
  return [
    `${paint("bold", symbol)} ${price} ${currency}${moved}${spread}  ${paint("dim", `${price_source} from ${source}, traded ${timestamp}`)}`,
    ...(provenance.stale ? [paint("yellow", "  STALE: no provider responds now")] : []),
    ...(provenance.check === null ? [] : [paint("dim", `  ${formatPriceCheck(provenance.check)}`)]),
  ];
}
