import type { ShareOfCompany, ShortInterestRow } from "../../domain/short-interest/short-interest.ts";
import type { Paint } from "../../domain/terminal.ts";

interface ShortInterestView {
  readonly symbol: string;
  readonly coverage: { readonly status: string; readonly reason: string | null };
  readonly reports: readonly ShortInterestRow[];
  readonly of_company: ShareOfCompany | null;
  readonly of_company_reason: string | null;
  readonly provenance: { readonly provider: string; readonly fetched_at: string } | null;
  readonly notes: readonly string[];
}

/** Formats short interest, one line for each report. */
export function formatShortInterest(view: ShortInterestView, paint: Paint): string {
  const { symbol, coverage, reports, of_company, of_company_reason, provenance } = view;
  if (coverage.status !== "covered") return `${paint("bold", symbol)} ${coverage.reason}`;
  const share =
    of_company === null
      ? `share of the company: unknown (${of_company_reason})`
      : `${of_company.percent} % of ${formatCount(of_company.shares)} shares (quarter to ${of_company.period_end})`;
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
    `${row.settlement_date} (published ${row.published}):`,
    `${formatCount(row.shares_short)} shares short,`,
    percent === null ? "change unknown," : `${percent > 0 ? "+" : ""}${percent} %,`,
    days === null ? "days to cover unknown" : `${days} days to cover`,
    ...(row.revised ? ["(corrected)"] : []),
  ].join(" ");
}
