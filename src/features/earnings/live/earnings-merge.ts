import {
  blankReport,
  type EarningsFigure,
  type EarningsReport,
  type ReportLine,
} from "../../../domain/earnings/earnings.ts";
import type { EstimateSnapshot } from "../../../domain/earnings/estimate-repository-port.ts";
import {
  calendarQuarter,
  type FiledQuarter,
  type ProviderFilings,
} from "../../../domain/earnings/provider.ts";
import { newYorkDate } from "../../../lib/newyork.ts";

const DAY = 86_400_000;
/** Maximum difference between two providers' end dates of the same quarter, ms: some use the end of the month. */
const QUARTER_END_TOLERANCE_MS = 10 * DAY;
/** Maximum time between the end of a quarter and its report, ms. */
const MAX_REPORT_DELAY_MS = 110 * DAY;
const YEAR = 365 * DAY;

interface SupplementaryData {
  readonly source: string;
  readonly filings: ProviderFilings | null;
  readonly snapshots: readonly EstimateSnapshot[];
}

/**
 * Merges a provider's reports with data on the same quarters: announcement dates, filed figures and the provider's own
 * earlier estimates. Never combines figures of two providers into one.
 */
export function mergeReports(
  reports: readonly EarningsReport[],
  { source, filings, snapshots }: SupplementaryData,
): readonly EarningsReport[] {
  return reports.map((report, i) => {
    const filed = filings === null ? null : quarterOf(report, filings, i === 0);
    const reportedAt = report.reportedAt ?? (filings && releaseOf(report, filed, filings));
    const reportDate = report.reportDate ?? (reportedAt === null ? null : newYorkDate(reportedAt));
    const dated = { ...report, reportedAt, reportDate, periodEnd: report.periodEnd ?? filed?.end ?? null };
    return withEstimates(withFiled(dated, filed, filings), source, snapshots);
  });
}

/** Builds reports only from filings, for companies without a provider of estimates. */
export function reportsFromFilings(filings: ProviderFilings): readonly EarningsReport[] {
  return filings.quarters.map((filed) => {
    const report: EarningsReport = {
      ...blankReport(calendarQuarter(filed.end)),
      periodEnd: filed.end,
      eps: { actual: figureOf(filed.epsDiluted, "gaap", "sec"), estimate: null },
      revenue: { actual: figureOf(filed.revenue, "reported", "sec"), estimate: null },
    };
    const reportedAt = releaseOf(report, filed, filings);
    const reportDate = reportedAt === null ? filed.filed : newYorkDate(reportedAt);
    return withFiled({ ...report, reportedAt, reportDate }, filed, filings);
  });
}

/**
 * Returns the filed quarter of a report: the one with the same end, or without an end the last one before the report
 * date.
 */
function quarterOf(
  report: EarningsReport,
  { quarters }: ProviderFilings,
  newest: boolean,
): FiledQuarter | null {
  const { periodEnd, reportDate } = report;
  if (periodEnd !== null)
    return quarters.find(({ end }) => distance(end, periodEnd) <= QUARTER_END_TOLERANCE_MS) ?? null;
  if (reportDate === null) return null;
  const found = quarters.find(({ end }) => end < reportDate);
  if (found === undefined) return null;
  // the newest report may not be filed yet: a shorter limit avoids matching it to the quarter before
  const maxDelay = newest ? 75 * DAY : MAX_REPORT_DELAY_MS;
  return Date.parse(reportDate) - Date.parse(found.end) <= maxDelay ? found : null;
}

/**
 * Returns the release time of a report, epoch ms: the last announcement of results between the quarter's end and its
 * filing, within a day of the provider's date if it has one. Earlier announcements under the same item may be about
 * other matters, such as deliveries.
 */
function releaseOf(
  { periodEnd, reportDate }: EarningsReport,
  filed: FiledQuarter | null,
  { releases }: ProviderFilings,
): number | null {
  if (reportDate !== null) return releases.find((at) => distance(newYorkDate(at), reportDate) <= DAY) ?? null;
  const end = periodEnd ?? filed?.end;
  if (end === undefined) return null;
  const first = Date.parse(end) + DAY;
  const last = first + MAX_REPORT_DELAY_MS;
  // a fourth quarter is filed with its year, and again in later years, so the filing date may be too late
  const until = filed === null ? last : Math.min(last, Math.max(first, Date.parse(filed.filed) + DAY));
  return releases.find((at) => at >= first && at <= until) ?? null;
}

function withFiled(
  report: EarningsReport,
  filed: FiledQuarter | null,
  filings: ProviderFilings | null,
): EarningsReport {
  if (filed === null) return report;
  const { epsDiluted, revenue, netIncome, form, filed: on } = filed;
  const before = filings?.quarters.find(
    ({ end }) => Math.abs(Date.parse(filed.end) - YEAR - Date.parse(end)) <= QUARTER_END_TOLERANCE_MS,
  );
  const kpis = before === undefined ? [] : toReportLines(filed, before);
  return {
    ...report,
    kpis: report.kpis.length > 0 ? report.kpis : kpis,
    filed: { epsDiluted, revenue, netIncome, form, filed: on },
  };
}

function toReportLines(now: FiledQuarter, before: FiledQuarter): readonly ReportLine[] {
  const lines = [
    ["Revenue", "USD", now.revenue, before.revenue],
    ["Net income", "USD", now.netIncome, before.netIncome],
    ["Diluted EPS (GAAP)", "USD per share", now.epsDiluted, before.epsDiluted],
  ] as const;
  return lines.flatMap(([name, unit, current, prior]) =>
    current === null || prior === null ? [] : [{ name, unit, current, prior, good: "UP" as const }],
  );
}

/** Adds the provider's own stored estimates if it no longer returns them. */
function withEstimates(
  report: EarningsReport,
  source: string,
  snapshots: readonly EstimateSnapshot[],
): EarningsReport {
  const { eps, revenue, reportedAt, reportDate } = report;
  // with only a date, an estimate must have been stored before that day to precede the report
  const out = reportedAt ?? (reportDate === null ? null : Date.parse(reportDate));
  const known = snapshots.filter(
    (one) => one.source === source && one.period === report.period && (out === null || one.takenAt < out),
  );
  const of = (line: "eps" | "revenue") => known.find((one) => one[line] !== null)?.[line] ?? null;
  return {
    ...report,
    eps: { ...eps, estimate: eps.estimate ?? figureOf(of("eps"), "adjusted", source) },
    revenue: { ...revenue, estimate: revenue.estimate ?? figureOf(of("revenue"), "reported", source) },
  };
}

const figureOf = (value: number | null, basis: EarningsFigure["basis"], by: string) =>
  value === null ? null : { value, basis, by };

const distance = (one: string, other: string): number => Math.abs(Date.parse(one) - Date.parse(other));
