import { type InsiderTrade, TRANSACTION_CODES } from "../../domain/company/insiders.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
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

/** Formats transactions of insiders as a table, with the meaning of their codes. */
export function formatInsiderTrades(view: InsiderView, paint: Paint): string {
  const { symbol, coverage, trades, bought, sold, provenance } = view;
  if (coverage.status !== "covered") return `${paint("bold", symbol)} ${coverage.reason}`;
  return [
    `${paint("bold", symbol)} purchases: ${formatTotal(bought)}; sales: ${formatTotal(sold)}`,
    ...(trades.length === 0
      ? []
      : [paint("dim", QUOTED_TEXT_NOTICE), ...formatTable(trades, columnsOf(trades, paint), paint)]),
    ...(provenance === null ? [] : [paint("dim", `from ${provenance.provider}, ${provenance.fetched_at}`)]),
    ...view.notes.map((note) => paint("yellow", note)),
    ...nextPageLine(view.next_cursor, paint),
  ].join("\n");
}

const formatCount = (value: number | null): string => (value === null ? "-" : value.toLocaleString("en-US"));

const formatTotal = (total: Total | null): string =>
  total === null ? "-" : `${total.trades}, ${formatCount(total.shares)} shares, $${formatCount(total.value)}`;

function columnsOf(trades: readonly InsiderTrade[], paint: Paint): readonly Column<InsiderTrade>[] {
  const codes = [...new Set(trades.map(({ code }) => code))].sort();
  return [
    { head: "traded", cell: ({ date }) => date },
    { head: "filed", cell: ({ filed }) => filed, rank: 5 },
    {
      head: "direction",
      cell: ({ direction }) => paint(direction === "acquired" ? "green" : "red", direction),
    },
    { head: "shares", cell: ({ shares }) => formatCount(shares) },
    { head: "price", cell: ({ price }) => (price === null ? "-" : `$${price}`) },
    {
      head: "code",
      cell: ({ code }) => code,
      note: codes.map((code) => `${code}: ${TRANSACTION_CODES[code]}`).join("; "),
    },
    { head: "holds", cell: ({ held_after }) => formatCount(held_after), rank: 2 },
    { head: "who", cell: ({ owner }) => quoted(owner, MAX_TEXT_LENGTH), rank: 1 },
    {
      head: "role",
      cell: ({ title, relations }) =>
        title === null ? relations.join(", ").replaceAll("_", " ") || "-" : quoted(title, MAX_TEXT_LENGTH),
      rank: 3,
    },
    { head: "security", cell: ({ security }) => quoted(security, MAX_TEXT_LENGTH), rank: 4 },
  ];
}
