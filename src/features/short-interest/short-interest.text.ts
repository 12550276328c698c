import type { ShortInterestRow } from "../../domain/short-interest/short-interest.ts";
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

/** Formats short interest, one line for each report. */
export function formatShortInterest(view: ShortInterestView, paint: Paint): string {
  const { symbol, coverage, reports, percent_of_company: percent, percent_basis, provenance } = view;
  if (coverage.status !== "covered") return `${paint("bold", symbol)} ${coverage.reason}`;
  const share =
    percent === null ? `share of the company unknown (${percent_basis})` : `${percent} % of ${percent_basis}`;
  return [
    `${paint("bold", symbol)} short interest; ${share}`,
    ...reports.map(formatReport),
    ...(provenance === null ? [] : [paint("dim", `from ${provenance.provider}, ${provenance.fetched_at}`)]),
    ...view.notes.map((note) => paint("yellow", note)),
  ].join("\n");
}

const formatCount = (value: number): string => value.toLocaleString("en-US");

function formatReport(row: ShortInterestRow): string {
  const { change_percent: percent, days_to_cover: days } = row;
  return [
    `${row.settled} (published ${row.published}):`,
    `${formatCount(row.shares_short)} shares short,`,
    percent === null ? "change unknown," : `${percent > 0 ? "+" : ""}${percent} %,`,
    days === null ? "days to cover unknown" : `${days} days to cover`,
  ].join(" ");
}
