import type { HistoryRow } from "../../domain/signal/signal-history.ts";
import { formatTable } from "../../domain/table.text.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";

interface HistoryAnswer {
  readonly symbol: string;
  readonly timeframe: string;
  readonly rows: readonly HistoryRow[];
  readonly summary: {
    readonly signals: number;
    readonly over: number;
    readonly right: number;
    readonly target_first: number;
    readonly stop_first: number;
  };
  readonly next_cursor: string | null;
  readonly notes: readonly string[];
  readonly source: string;
  readonly data_as_of: string;
}

/** Formats the signals of past bars as a table, newest first; a dash stands for what is not known. */
export function formatSignalHistory(answer: HistoryAnswer, paint: Paint): string {
  const { symbol, timeframe, rows, summary, notes, next_cursor, source, data_as_of } = answer;
  const table = formatTable(
    rows,
    [
      { head: "datetime", cell: ({ datetime }) => datetime },
      { head: "verdict", cell: ({ direction }) => direction },
      { head: "grade", cell: ({ grade }) => grade ?? "-" },
      { head: "score", cell: ({ score }) => (score === null ? "-" : score.toFixed(2)), rank: 4 },
      { head: "close", cell: ({ close }) => String(close), rank: 1 },
      { head: "stop", cell: ({ plan }) => String(plan?.stop_loss ?? "-"), rank: 3 },
      { head: "target", cell: ({ plan }) => String(plan?.targets[0] ?? "-"), rank: 2 },
      { head: "first", cell: ({ outcome }) => outcome?.first ?? "-" },
      { head: "right", cell: ({ outcome }) => yesNo(outcome?.right ?? null) },
    ],
    paint,
  );
  return [
    `${paint("bold", `${symbol} ${timeframe}`)} ${paint("dim", `${source}, closed ${data_as_of}`)}`,
    ...table,
    `${summary.signals} signals LONG or SHORT; of ${summary.over} whose 20 bars are over, ${summary.right} moved in their direction, ${summary.target_first} reached the target first, ${summary.stop_first} the stop`,
    ...notes.map((note) => paint("yellow", note)),
    ...nextPageLine(next_cursor, paint),
  ].join("\n");
}

const yesNo = (value: boolean | null): string => (value === null ? "-" : value ? "yes" : "no");
