import type { MoverRow, RunCoverage, SectorFigures, SectorRow } from "../../domain/nightly/movers.ts";
import type { RunNote } from "../../domain/nightly/scan.ts";
import type { Paint } from "../../domain/terminal.ts";
import { alignedTable } from "../../lib/aligned-table.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { type AnswerNotes, splitNotes } from "../signal/notes.ts";
import { MOVER_LISTS, type MoverList } from "./movers.ts";

interface RunAnswer extends AnswerNotes {
  readonly period: string;
  readonly basis: string;
  readonly coverage: RunCoverage;
  readonly runs: readonly RunNote[];
}
type MoversAnswer = RunAnswer & Readonly<Record<MoverList, readonly MoverRow[] | null>>;

/** Formats the lists of movers as tables, with the run that they come from. */
export function formatMovers(answer: MoversAnswer, paint: Paint): string {
  const lists = MOVER_LISTS.flatMap((name) => {
    const rows = answer[name];
    if (rows === null) return [];
    const title = paint("bold", name.replace("_", " "));
    if (rows.length === 0) return [title, paint("dim", "none")];
    const cells = rows.map((row) => [
      row.symbol,
      formatPrice(row.close),
      formatPercent(row.change_percent),
      row.dollar_volume === null ? "-" : `$${row.dollar_volume.toLocaleString("en-US")}`,
      row.volume_ratio === null ? "-" : `${row.volume_ratio}x`,
      row.grade ?? "-",
    ]);
    const head = ["symbol", "close", answer.period, "dollar volume", "of usual", "grade"];
    return [title, ...alignedTable([head, ...cells])];
  });
  return [...formatStale(answer, paint), ...lists, ...formatBasis(answer, paint)].join("\n");
}

interface SectorsAnswer extends RunAnswer {
  readonly sectors: readonly SectorRow[];
  readonly all: SectorFigures;
}

/** Formats the performance of sectors as a table, with the run that it comes from. */
export function formatSectors(answer: SectorsAnswer, paint: Paint): string {
  const cells = (name: string, { returns, ...row }: SectorFigures) => [
    name,
    String(row.members),
    ...Object.values(returns).map(formatPercent),
    row.above_sma_50_percent === null ? "-" : `${row.above_sma_50_percent}%`,
    `${row.up}/${row.down}`,
  ];
  const head = ["sector", "members", "1d", "5d", "20d", "60d", "above 50-day mean", "up/down"];
  return [
    ...formatStale(answer, paint),
    ...alignedTable([head, ...answer.sectors.map((row) => cells(row.sector, row)), cells("all", answer.all)]),
    ...formatBasis(answer, paint),
  ].join("\n");
}

const formatPercent = (value: number | null): string =>
  value === null ? "-" : `${value > 0 ? "+" : ""}${value.toFixed(2)}%`;

const formatStale = (answer: RunAnswer, paint: Paint): readonly string[] =>
  splitNotes(answer).first.map((note) => paint("yellow", note));

function formatBasis({ basis, coverage, runs, ...notes }: RunAnswer, paint: Paint): readonly string[] {
  const { closes, compared, members } = coverage;
  const at = [closes.stocks, closes.crypto].filter((close) => close !== null).join(" and ");
  return [
    ...splitNotes(notes).others.map((note) => paint("yellow", note)),
    paint("dim", `${basis}: closed ${at || "never"}; ${compared} of ${members} members compared`),
    ...runs.map(({ universe, runAt, source }) =>
      paint("dim", `run over ${universe} finished ${runAt}, bars from ${source}`),
    ),
  ];
}
