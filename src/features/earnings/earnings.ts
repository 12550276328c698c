import { deltaOf } from "../../analytics/earnings/deltas.ts";
import { pointsOf } from "../../analytics/earnings/points.ts";
import { verdictOf } from "../../analytics/earnings/score.ts";
import { surpriseOf } from "../../analytics/earnings/surprise.ts";
import {
  blankReport,
  type EarningsCard,
  type EarningsReport,
  type Surprise,
} from "../../domain/earnings/earnings.ts";
import type { EarningsAnswer } from "../../domain/earnings/earnings-port.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { noReportsReason } from "./calendar.ts";
import { cardNotes, missingFields, noEarningsReason } from "./missing.ts";

const DAY = 86_400_000;
const MAX_REPORTS = 8;
/** Estimates per share below this, US dollars, are compared with the price instead. */
const SMALL_ESTIMATE = 0.1;

/**
 * Returns the newest report of one stock with its surprises. Rejects with UPSTREAM_UNAVAILABLE in an outage; uncovered
 * figures are null with reasons.
 */
export async function readEarnings(
  instrument: Instrument,
  { signal }: CallOptions,
  { earnings, bars, clock }: Pick<Ports, "earnings" | "bars" | "clock">,
) {
  const now = clock.now().getTime();
  const answer = await fetchEarnings(instrument, { earnings }, signal);
  const [newest, ...before] = answer.reports;
  const report = newest ?? blankReport("");
  const price = isSmall(report) ? await closeBefore(instrument, report, { bars }, signal) : null;
  // without a report, the figures are missing for the same reason as the report
  const withReason = (surprise: Surprise): Surprise =>
    newest === undefined ? { ...surprise, reason: noEarningsReason(answer.coverage) } : surprise;
  const eps = withReason(surpriseOf(report.eps, { perShare: true, price }));
  const revenue = withReason(surpriseOf(report.revenue));
  const guidance = withReason(surpriseOf(report.guidance));
  const kpis = report.kpis.map(deltaOf);
  const segments = report.segments.map(deltaOf);
  const { signal: word, score, parts } = verdictOf({ eps, revenue, guidance, kpis, segments });
  const past = before.slice(0, MAX_REPORTS).map((quarter) => ({
    quarter,
    surprise: surpriseOf(quarter.eps, { perShare: true }),
  }));
  const results = [eps.result, ...past.map(({ surprise }) => surprise.result)];
  const { bullish, bearish } = pointsOf({ eps, revenue, guidance, kpis, segments, results });
  const { reportedAt } = report;
  const card: EarningsCard = {
    symbol: instrument.symbol,
    companyName: instrument.name,
    period: newest?.period ?? null,
    reportDate: report.reportDate,
    signal: word,
    signalScore: score,
    score_parts: [...parts],
    eps,
    revenue,
    guidance,
    adjustedEBITDA: report.adjustedEBITDA,
    adjustedFCF: report.adjustedFCF,
    kpiDeltas: kpis,
    segmentDeltas: segments,
    bullishPoints: [...bullish],
    bearishPoints: [...bearish],
    audited: report.filed,
    history: past.map(({ quarter, surprise }) => ({
      period: quarter.period,
      reportDate: quarter.reportDate,
      epsActual: surprise.actual,
      epsEstimate: surprise.estimate,
      surprisePct: surprise.surprisePct,
      result: surprise.result,
    })),
    next: answer.next,
    dataSource: answer.source,
    minutesSinceReport: reportedAt === null ? null : Math.max(0, Math.floor((now - reportedAt) / 60_000)),
    fetchedAt: answer.fetchedAt,
    cached: answer.cached,
  };
  return { card, missing: missingFields(card, answer), notes: cardNotes(card), answer };
}

/** Fetches the reports of a stock; returns none for a fund or token. */
async function fetchEarnings(
  instrument: Instrument,
  { earnings }: Pick<Ports, "earnings">,
  signal: AbortSignal | undefined,
): Promise<EarningsAnswer> {
  if (instrument.asset_class === "equity") return earnings.reports(instrument, { signal });
  return {
    reports: [],
    next: null,
    source: null,
    fetchedAt: null,
    asOf: null,
    stale: false,
    cached: false,
    coverage: [noReportsReason(instrument)],
  };
}

const isSmall = ({ eps: { estimate } }: EarningsReport): boolean =>
  estimate !== null && Math.abs(estimate.value) < SMALL_ESTIMATE;

/** Returns the last close before the day of a report; null if there is none. */
async function closeBefore(
  instrument: Instrument,
  { reportDate, reportedAt }: EarningsReport,
  { bars }: Pick<Ports, "bars">,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  if (reportDate === null) return null;
  const asOf = reportedAt ?? Date.parse(reportDate) + DAY / 4;
  const { bars: closed } = await bars.history(instrument, { timeframe: "1d", limit: 1, asOf, signal });
  return closed.close.at(-1) ?? null;
}
