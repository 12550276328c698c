import { type InsiderTrade, TRANSACTION_CODES } from "../../domain/company/insiders.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";

const MAX_TEXT_LENGTH = 60;

interface Total {
  readonly trades: number;
  readonly shares: number;
  readonly value: number | null;
}
interface InsiderView {
  readonly symbol: string;
  readonly coverage: { readonly status: string; readonly reason: string | null };
  readonly trades: readonly InsiderTrade[];
  readonly bought: Total | null;
  readonly sold: Total | null;
  readonly provenance: { readonly provider: string; readonly fetched_at: string } | null;
  readonly notes: readonly string[];
  readonly next_cursor: string | null;
}

/** Formats transactions of insiders, one line each, with the meaning of their codes. */
export function formatInsiderTrades(view: InsiderView, paint: Paint): string {
  const { symbol, coverage, trades, bought, sold, provenance } = view;
  if (coverage.status !== "covered") return `${paint("bold", symbol)} ${coverage.reason}`;
  return [
    `${paint("bold", symbol)} purchases: ${formatTotal(bought)}; sales: ${formatTotal(sold)}`,
    ...(trades.length === 0 ? [] : [paint("dim", QUOTED_TEXT_NOTICE)]),
    ...trades.map((trade) => formatTrade(trade, paint)),
    ...(provenance === null ? [] : [paint("dim", `from ${provenance.provider}, ${provenance.fetched_at}`)]),
    ...view.notes.map((note) => paint("yellow", note)),
    ...nextPageLine(view.next_cursor, paint),
  ].join("\n");
}

const formatCount = (value: number | null): string => (value === null ? "-" : value.toLocaleString("en-US"));

const formatTotal = (total: Total | null): string =>
  total === null ? "-" : `${total.trades}, ${formatCount(total.shares)} shares, $${formatCount(total.value)}`;

function formatTrade(trade: InsiderTrade, paint: Paint): string {
  const { date, code, direction, shares, price, held_after, filed, owner, title, relations } = trade;
  const role = title === null ? relations.join(", ").replaceAll("_", " ") : quoted(title, MAX_TEXT_LENGTH);
  const colour = direction === "acquired" ? "green" : "red";
  return [
    date,
    paint(colour, `${direction} ${formatCount(shares)}`),
    quoted(trade.security, MAX_TEXT_LENGTH),
    price === null ? "without a price" : `at $${price}`,
    `(${code}: ${TRANSACTION_CODES[code]}),`,
    `holds ${formatCount(held_after)}:`,
    `${quoted(owner, MAX_TEXT_LENGTH)}, ${role || "no relation stated"};`,
    paint("dim", `filed ${filed}`),
  ].join(" ");
}
