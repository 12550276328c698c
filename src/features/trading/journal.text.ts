import { formatGrade } from "../../domain/signal/grade.text.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { JournalNote, JournalSummary, JournalTrade } from "../../domain/trading/journal.ts";
import { plainText } from "../../lib/plain-text.ts";

const formatMinute = (iso: string): string => iso.slice(0, 16).replace("T", " ");

/** Formats a note as lines; the first line starts with the time of the note. */
export const formatJournalNote = ({ note, noted_at }: JournalNote, paint: Paint): readonly string[] =>
  note
    .split("\n")
    .map(
      (line, i) =>
        `  ${paint("dim", i === 0 ? `note ${formatMinute(noted_at)}` : "")} ${plainText(line, 2_000)}`,
    );

/** Formats a trade: prices, result, signal at entry and notes. */
export function formatJournalTrade(trade: JournalTrade, paint: Paint): readonly string[] {
  const { symbol, side, quantity, entry_price, exit_price, net_pnl, signal, stop_loss } = trade;
  const isLoss = net_pnl.startsWith("-");
  const result =
    exit_price === null
      ? paint("cyan", "open")
      : `${exit_price} USD  ${paint(isLoss ? "red" : "green", `${isLoss ? "" : "+"}${net_pnl} USD`)}`;
  const r = trade.r_multiple === null ? "" : `  ${trade.r_multiple.toFixed(2)} R`;
  const remainder =
    trade.exit_price !== null && trade.closed_at === null ? `, ${trade.open_quantity} still open` : "";
  const entrySignal =
    signal === null
      ? "no signal at entry"
      : `signal at entry ${signal.timeframe} ${signal.direction}, ${formatGrade(signal)}${signal.score === null ? "" : ` (${signal.score.toFixed(0)})`}`;
  const exitKinds = [...new Set(trade.exits.map(({ kind }) => kind.replace("_", " ")))].join(", ");
  return [
    `${paint("bold", symbol)}  ${side} ${quantity}: ${entry_price} USD -> ${result}${r}${remainder}`,
    paint(
      "dim",
      `  ${formatMinute(trade.opened_at)} to ${trade.closed_at === null ? "now" : formatMinute(trade.closed_at)}${trade.held_seconds === null ? "" : `, ${formatDuration(trade.held_seconds)}`}; stop ${stop_loss === null ? "none" : `${stop_loss} USD`}; fees ${trade.fees} USD${exitKinds === "" ? "" : `; closed by ${exitKinds}`}`,
    ),
    paint("dim", `  ${entrySignal}; entry ${trade.order_id}`),
    ...trade.notes.flatMap((note) => formatJournalNote(note, paint)),
  ];
}

/** Formats trades: a single one in full, several as a table with their notes below. */
export function formatJournalTrades(trades: readonly JournalTrade[], paint: Paint): readonly string[] {
  if (trades.length < 2) return trades.flatMap((trade) => formatJournalTrade(trade, paint));
  return [
    ...formatTable(trades, TRADE_COLUMNS, paint),
    ...trades.flatMap(({ symbol, opened_at, notes }) =>
      notes.length === 0
        ? []
        : [
            `${paint("bold", symbol)}  of ${formatMinute(opened_at)}`,
            ...notes.flatMap((note) => formatJournalNote(note, paint)),
          ],
    ),
  ];
}

const TRADE_COLUMNS: readonly Column<JournalTrade>[] = [
  { head: "symbol", cell: ({ symbol }) => symbol },
  { head: "side", cell: ({ side }) => side, rank: 3 },
  { head: "quantity", cell: ({ quantity }) => quantity, rank: 1 },
  { head: "entry", cell: ({ entry_price }) => entry_price, rank: 2 },
  { head: "exit", cell: ({ exit_price }) => exit_price ?? "open", rank: 1 },
  {
    head: "net",
    cell: ({ exit_price, net_pnl }) =>
      exit_price === null ? "-" : net_pnl.startsWith("-") ? net_pnl : `+${net_pnl}`,
  },
  { head: "R", cell: ({ r_multiple }) => (r_multiple === null ? "-" : r_multiple.toFixed(2)), rank: 2 },
  { head: "opened", cell: ({ opened_at }) => opened_at.slice(0, 10), rank: 4 },
  { head: "closed", cell: ({ closed_at }) => closed_at?.slice(0, 10) ?? "-", rank: 5 },
  { head: "still open", cell: ({ open_quantity }) => open_quantity, rank: 6 },
  { head: "stop", cell: ({ stop_loss }) => stop_loss ?? "-", rank: 7 },
  { head: "fees", cell: ({ fees }) => fees, rank: 8 },
  { head: "signal", cell: ({ signal }) => signal?.direction ?? "-", rank: 9 },
  { head: "entry order", cell: ({ order_id }) => order_id, rank: 10 },
];

/** Formats a summary of trades; each figure shows its sample size. */
export function formatJournalSummary(summary: JournalSummary, paint: Paint): readonly string[] {
  const { win_share, average_r, expectancy, profit_factor } = summary;
  const formatFigure = (
    name: string,
    { value, n, reason }: { readonly value: unknown; readonly n: number; readonly reason: string | null },
    text: string,
  ) => `  ${name.padEnd(14)} ${value === null ? paint("dim", `none: ${reason}`) : `${text}  (n ${n})`}`;
  return [
    paint(
      "bold",
      `${summary.closed} closed, ${summary.open} open, net ${summary.net_pnl} USD after ${summary.fees} USD fees`,
    ),
    formatFigure("win rate", win_share, `${((win_share.value ?? 0) * 100).toFixed(0)} %`),
    formatFigure("average R", average_r, (average_r.value ?? 0).toFixed(2)),
    formatFigure("expectancy", expectancy, `${expectancy.value} USD a trade`),
    formatFigure("profit factor", profit_factor, (profit_factor.value ?? 0).toFixed(2)),
  ];
}

function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
}
