import type { ShortInterestRow } from "../../domain/short-interest/short-interest.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";

interface ShortInterestView {
  readonly symbol: string;
  readonly coverage: { readonly status: string; readonly reason: string | null };
  readonly reports: readonly ShortInterestRow[];
  readonly percent_of_company: number | null;
  readonly percent_basis: string;
  readonly provenance: { readonly provider: string; readonly fetched_at: string } | null;
  readonly notes: readonly string[];
}

/** Formats short interest as a table with a row for each report. */
export function formatShortInterest(view: ShortInterestView, paint: Paint): string {
  const { symbol, coverage, reports, percent_of_company: percent, percent_basis, provenance } = view;
  if (coverage.status !== "covered") return `${paint("bold", symbol)} ${coverage.reason}`;
  const share =
    percent === null ? `share of the company unknown (${percent_basis})` : `${percent} % of ${percent_basis}`;
  return [
    `${paint("bold", symbol)} short interest; ${share}`,
    ...(reports.length === 0 ? [] : formatTable(reports, COLUMNS, paint)),
    ...(provenance === null ? [] : [paint("dim", `from ${provenance.provider}, ${provenance.fetched_at}`)]),
    ...view.notes.map((note) => paint("yellow", note)),
  ].join("\n");
}

const COLUMNS: readonly Column<ShortInterestRow>[] = [
  { head: "settled", cell: ({ settled }) => settled },
  { head: "published", cell: ({ published }) => published },
  { head: "shares short", cell: ({ shares_short }) => shares_short.toLocaleString("en-US") },
  {
    head: "change",
    cell: ({ change_percent: percent }) => (percent === null ? "-" : `${percent > 0 ? "+" : ""}${percent}%`),
  },
  { head: "days to cover", cell: ({ days_to_cover }) => String(days_to_cover ?? "-") },
];
