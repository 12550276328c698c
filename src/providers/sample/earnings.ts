import type { EarningsReport, ScheduledReport } from "../../domain/earnings/earnings.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Clock, Earnings } from "../../domain/ports.ts";
import {
  estimatesOf,
  FIRST_QUARTER,
  figuresOf,
  newestReported,
  type Quarter,
  quarterOf,
  toFigures,
} from "./earnings-figures.ts";
import type { Recording, Recordings } from "./recordings.ts";
import { DAY_MS, isoDate, startOf } from "./time.ts";

/** Maximum number of reports returned per stock. */
const MAX_REPORTS = 9;
/** Start of the calendar, and the period ahead of the clock that it covers. */
const BEGIN = startOf(1);
const AHEAD_MS = 400 * DAY_MS;
/** Time before its report at which a date is confirmed; before that it is an estimate. */
const CONFIRMED_MS = 28 * DAY_MS;

/**
 * Creates the quarterly reports of the simulated stocks. A report is published at the start of its day, whose
 * opening gap correlates with the surprise. Its date is first estimated, then confirmed four weeks ahead.
 * Funds and coins have no reports. No figure is returned before its publication.
 */
export function sampleEarnings(
  recordings: Recordings,
  clock: Clock,
  members: readonly Instrument[],
): Earnings {
  const companies = members.filter(({ asset_class }) => asset_class === "equity").map(({ symbol }) => symbol);
  const company = (symbol: string) => (companies.includes(symbol) ? recordings(symbol) : null);
  const originAt = (at: number, coverage: readonly string[] = []) => ({
    source: "sample",
    fetchedAt: clock.now().toISOString(),
    asOf: new Date(at).toISOString(),
    stale: false,
    cached: false,
    coverage,
  });
  const until = (asOf: number | undefined) =>
    Math.min(asOf ?? Number.POSITIVE_INFINITY, clock.now().getTime());

  return {
    async reports({ symbol }, { asOf } = {}) {
      const at = until(asOf);
      const recording = company(symbol);
      if (recording === null) return { ...originAt(at, [noCompany(symbol)]), reports: [], next: null };
      const newest = newestReported(recording.key, at);
      const count = Math.max(0, Math.min(MAX_REPORTS, newest - FIRST_QUARTER + 1));
      const quarters = Array.from({ length: count }, (_, back) => quarterOf(recording.key, newest - back));
      return {
        ...originAt(at),
        reports: quarters.map((quarter) => reportOf(recording, quarter)),
        next: nextOf(recording, at),
      };
    },
    async next({ symbol }, { asOf } = {}) {
      const recording = company(symbol);
      if (recording === null) return { next: null, reason: noCompany(symbol) };
      return { next: nextOf(recording, until(asOf)), reason: null };
    },
    async schedule({ instruments, from, to }) {
      const at = until(undefined);
      const wanted = instruments === null ? companies : instruments.map(({ symbol }) => symbol);
      const [first, last] = [Date.parse(from), Math.min(Date.parse(to), at + AHEAD_MS)];
      const lacking = wanted.filter((symbol) => company(symbol) === null);
      const reports = wanted
        .flatMap((symbol) => company(symbol) ?? [])
        .flatMap((recording) =>
          between(recording, first, last).map((quarter) => scheduledOf(recording, quarter, at)),
        );
      reports.sort((a, b) => (a.date + a.symbol < b.date + b.symbol ? -1 : 1));
      return {
        ...originAt(at, [
          ...lacking.map((symbol) => `${symbol} reports no earnings`),
          ...(first < BEGIN ? [`The sample market begins on ${isoDate(BEGIN)}`] : []),
          ...(last < Date.parse(to) ? [`The calendar of the sample market ends on ${isoDate(last)}`] : []),
        ]),
        reports,
        isComplete: first >= BEGIN && last === Date.parse(to),
      };
    },
  };
}

const noCompany = (symbol: string): string => `The sample market has no company called ${symbol}`;

function nextOf(recording: Recording, at: number): ScheduledReport {
  const next = Math.max(newestReported(recording.key, at) + 1, FIRST_QUARTER);
  return scheduledOf(recording, quarterOf(recording.key, next), at);
}

/** Returns the quarters reported from `first` to `last`, each 00:00 UTC of a day. */
function between({ key }: Recording, first: number, last: number): readonly Quarter[] {
  const found: Quarter[] = [];
  for (let index = Math.max(FIRST_QUARTER, newestReported(key, first - 1)); ; index++) {
    const quarter = quarterOf(key, index);
    if (quarter.reportedAt > last) return found;
    if (quarter.reportedAt >= first) found.push(quarter);
  }
}

const periodOf = ({ quarter, year }: Quarter): string => `Q${quarter} ${year}`;

function scheduledOf(recording: Recording, quarter: Quarter, at: number): ScheduledReport {
  const out = quarter.reportedAt <= at;
  const { eps, revenue } = estimatesOf(recording, quarter);
  const figures = out ? figuresOf(recording, quarter) : null;
  return {
    symbol: recording.listing.instrument.symbol,
    name: null,
    date: isoDate(quarter.reportedAt),
    hour: "before_open",
    confirmed: quarter.reportedAt - CONFIRMED_MS <= at,
    period: periodOf(quarter),
    eps_estimate: eps,
    eps_actual: figures?.eps.actual ?? null,
    revenue_estimate: revenue,
    revenue_actual: figures?.revenue.actual ?? null,
  };
}

function reportOf(recording: Recording, quarter: Quarter): EarningsReport {
  const { eps, revenue, guidance, ebitda, fcf, kpis, segments } = figuresOf(recording, quarter);
  return {
    period: periodOf(quarter),
    periodEnd: isoDate(quarter.end),
    reportDate: isoDate(quarter.reportedAt),
    reportedAt: quarter.reportedAt,
    eps: toFigures(eps, "adjusted"),
    revenue: toFigures(revenue, "reported"),
    guidance: toFigures(guidance, "reported"),
    adjustedEBITDA: ebitda,
    adjustedFCF: fcf,
    kpis,
    segments,
    filed: null,
  };
}
