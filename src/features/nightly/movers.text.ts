import type { MoverRow, RunCoverage, SectorFigures, SectorRow } from "../../domain/nightly/movers.ts";
import type { RunNote } from "../../domain/nightly/scan.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
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
    return [title, ...formatTable(rows, moverColumns(answer.period), paint)];
  });
  return [...formatStale(answer, paint), ...lists, ...formatBasis(answer, paint)].join("\n");
}

const moverColumns = (period: string): readonly Column<MoverRow>[] => [
  { head: "symbol", cell: ({ symbol }) => symbol },
  { head: "close", cell: ({ close }) => formatPrice(close) },
  { head: period, cell: ({ change_percent }) => formatPercent(change_percent) },
  {
    head: "dollar volume",
    cell: ({ dollar_volume: volume }) => (volume === null ? "-" : `$${volume.toLocaleString("en-US")}`),
    rank: 2,
  },
  { head: "of usual", cell: ({ volume_ratio: ratio }) => (ratio === null ? "-" : `${ratio}x`), rank: 1 },
  { head: "grade", cell: ({ grade }) => grade ?? "-" },
];

interface SectorsAnswer extends RunAnswer {
  readonly sectors: readonly SectorRow[];
  readonly all: SectorFigures;
}

/** Formats the performance of sectors as a table, with the run that it comes from. */
export function formatSectors(answer: SectorsAnswer, paint: Paint): string {
  const rows = [...answer.sectors, { sector: "all", ...answer.all }];
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { head: "sector", cell: ({ sector }) => sector },
    { head: "members", cell: ({ members }) => String(members), rank: 2 },
    ...(["1d", "5d", "20d", "60d"] as const).map((period) => ({
      head: period,
      cell: ({ returns }: SectorFigures) => formatPercent(returns[period]),
    })),
    {
      head: "over SMA 50",
      cell: ({ above_sma_50_percent: share }) => (share === null ? "-" : `${share}%`),
      rank: 1,
    },
    { head: "up/down", cell: ({ up, down }) => `${up}/${down}`, rank: 3 },
  ];
  return [
    ...formatStale(answer, paint),
    ...formatTable(rows, columns, paint),
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
