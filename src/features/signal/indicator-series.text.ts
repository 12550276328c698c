import { type BarsProvenance, formatProvenance } from "../../domain/market/provenance.ts";
import { formatTable } from "../../domain/table.text.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";

interface IndicatorAnswer {
  readonly symbol: string;
  readonly timeframe: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly datetime: string;
    readonly close: number;
    readonly values: readonly (number | null)[];
  }[];
  readonly source: string;
  readonly data_as_of: string;
  readonly notes: readonly string[];
  readonly provenance: BarsProvenance;
  readonly next_cursor: string | null;
}

/** Formats indicator values as a table, newest first; a dash stands for a missing value. */
export function formatIndicators(answer: IndicatorAnswer, paint: Paint): string {
  const { symbol, timeframe, columns, rows, source, data_as_of, notes, provenance } = answer;
  const table = formatTable(
    rows,
    [
      { head: "datetime", cell: ({ datetime }) => datetime },
      { head: "close", cell: ({ close }) => String(close) },
      ...columns.map((head, i) => ({
        head,
        cell: ({ values }: (typeof rows)[number]) => String(values[i] ?? "-"),
        rank: i,
      })),
    ],
    paint,
  );
  return [
    `${paint("bold", `${symbol} ${timeframe}`)} ${paint("dim", `${source}, closed ${data_as_of}`)}`,
    ...formatProvenance(provenance).map((line) => paint(provenance.stale ? "yellow" : "dim", line)),
    ...table,
    ...notes.map((note) => paint("yellow", note)),
    ...nextPageLine(answer.next_cursor, paint),
  ].join("\n");
}
