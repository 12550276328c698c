import { formatPriceCheck } from "../../domain/market/provenance.ts";
import type { QuoteError, QuoteRow } from "../../domain/market/quote-row.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";

/** Formats quotes, several as a table with remarks below, and the symbols without a quote. */
export function formatQuotes(
  { quotes, errors }: { readonly quotes: readonly QuoteRow[]; readonly errors: readonly QuoteError[] },
  paint: Paint,
): string {
  return [
    ...(quotes.length < 2
      ? quotes.flatMap((row) => formatRow(row, paint))
      : [
          ...formatTable(quotes, COLUMNS, paint),
          ...quotes.flatMap((row) => formatRemarks(row, paint).map((line) => `${row.symbol}:${line}`)),
        ]),
    ...errors.map(({ symbol, code, message, hint }) =>
      paint("yellow", [`${symbol} ${code}: ${message}`, hint].filter(Boolean).join(". ")),
    ),
  ].join("\n");
}

const figure = (value: number | null): string => (value === null ? "-" : String(value));

const COLUMNS: readonly Column<QuoteRow>[] = [
  { head: "symbol", cell: ({ symbol }) => symbol },
  { head: "price", cell: ({ price }) => String(price) },
  { head: "currency", cell: ({ currency }) => currency, rank: 4 },
  {
    head: "change %",
    cell: ({ changePercent: change }) =>
      change === null ? "-" : `${change < 0 ? "" : "+"}${change.toFixed(2)}`,
    rank: 1,
  },
  { head: "bid", cell: ({ bid }) => figure(bid), rank: 3 },
  { head: "ask", cell: ({ ask }) => figure(ask), rank: 3 },
  { head: "kind", cell: ({ price_source }) => price_source.replaceAll("_", " "), rank: 2 },
  { head: "traded", cell: ({ timestamp }) => `${timestamp.slice(0, 19)}Z`, rank: 2 },
  { head: "provider", cell: ({ source }) => source, rank: 5 },
];

function formatRow(
  { symbol, price, currency, changePercent, bid, ask, price_source, source, timestamp, provenance }: QuoteRow,
  paint: Paint,
): readonly string[] {
  const moved = changePercent === null ? "" : ` ${changePercent < 0 ? "" : "+"}${changePercent.toFixed(2)}%`;
  const spread = bid === null || ask === null ? "" : `, bid ${bid}, ask ${ask}`;
  return [
    `${paint("bold", symbol)} ${price} ${currency}${moved}${spread}  ${paint("dim", `${price_source} from ${source}, traded ${timestamp}`)}`,
    ...formatRemarks({ provenance }, paint).map((line) => ` ${line}`),
  ];
}

/** Formats what is remarkable about a quote; nothing for most. */
const formatRemarks = ({ provenance }: Pick<QuoteRow, "provenance">, paint: Paint): readonly string[] => [
  ...(provenance.stale ? [paint("yellow", " STALE: no provider responds now")] : []),
  ...(provenance.check === null ? [] : [paint("dim", ` ${formatPriceCheck(provenance.check)}`)]),
];
