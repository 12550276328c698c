import { deltaOf } from "../../analytics/earnings/deltas.ts";
import { pointsOf } from "../../analytics/earnings/points.ts";
import { verdictOf } from "../../analytics/earnings/score.ts";
import { surpriseOf } from "../../analytics/earnings/surprise.ts";
import type { EarningsCard, EarningsReport, Surprise } from "../../domain/earnings.ts";
import type { Instrument } from "../../domain/market.ts";
import type { EarningsAnswer } from "../../ports/earnings.ts";
import type { CallOptions, Ports } from "../../ports/index.ts";

const DAY = 86_400_000;
const HISTORY = 8;
/** Below this an estimate per share is measured against the price. */
const SMALL = 0.1;

/** A field that is null or empty, and why. */
export interface Missing {
  readonly field: string;
  readonly reason: string;
}

export interface EarningsPicture {
  readonly card: EarningsCard;
  readonly missing: readonly Missing[];
  readonly notes: readonly string[];
  readonly answer: EarningsAnswer;
}

/** The newest report of one stock, judged. Rejects with UPSTREAM_UNAVAILABLE in an outage; what nobody covers is null with reasons. */
export async function earningsOf(
  instrument: Instrument,
  { signal }: CallOptions,
  { earnings, bars, clock }: Pick<Ports, "earnings" | "bars" | "clock">,
): Promise<EarningsPicture> {
  const now = clock.now().getTime();
  const answer = await answerOf(instrument, { earnings, clock }, signal);
  const [newest, ...before] = answer.reports;
  const report = newest ?? NOTHING;
  const price = isSmall(report) ? await priceBefore(instrument, report, { bars }, signal) : null;
  const eps = surpriseOf(report.eps, { perShare: true, price });
  const revenue = surpriseOf(report.revenue);
  const guidance = surpriseOf(report.guidance);
  const kpis = report.kpis.map(deltaOf);
  const segments = report.segments.map(deltaOf);
  const { signal: word, score, parts } = verdictOf({ eps, revenue, guidance, kpis, segments });
  const past = before.slice(0, HISTORY).map((quarter) => ({
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
  return { card, missing: missingOf(card, answer), notes: notesOn(card), answer };
}

/** Funds and coins are not asked about: they report nothing. */
async function answerOf(
  instrument: Instrument,
  { earnings, clock }: Pick<Ports, "earnings" | "clock">,
  signal: AbortSignal | undefined,
): Promise<EarningsAnswer> {
  if (instrument.asset_class === "equity") return earnings.reports(instrument, signal && { signal });
  const now = clock.now().toISOString();
  const what = instrument.asset_class === "etf" ? "a fund" : "a token";
  return {
    ...{ reports: [], next: null, source: null, fetchedAt: now, asOf: now, stale: false, cached: false },
    coverage: [`${instrument.symbol} is ${what}: companies alone report earnings`],
  };
}

const NONE = { actual: null, estimate: null } as const;
const NOTHING: EarningsReport = {
  period: "",
  periodEnd: null,
  reportDate: null,
  reportedAt: null,
  eps: NONE,
  revenue: NONE,
  guidance: NONE,
  adjustedEBITDA: null,
  adjustedFCF: null,
  kpis: [],
  segments: [],
  filed: null,
};

const isSmall = ({ eps: { estimate } }: EarningsReport): boolean =>
  estimate !== null && Math.abs(estimate.value) < SMALL;

/** The last close before the day of a report; null where there is none. */
async function priceBefore(
  instrument: Instrument,
  { reportDate, reportedAt }: EarningsReport,
  { bars }: Pick<Ports, "bars">,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  if (reportDate === null) return null;
  const asOf = reportedAt ?? Date.parse(reportDate) + DAY / 4;
  const { bars: closed } = await bars.history(instrument, {
    timeframe: "1d",
    limit: 1,
    asOf,
    ...(signal && { signal }),
  });
  return closed.close.at(-1) ?? null;
}

/** Every documented field without a value, with the reason. */
function missingOf(card: EarningsCard, { coverage, reports }: EarningsAnswer): readonly Missing[] {
  const [why = "The source does not tell it"] = coverage;
  if (reports.length === 0) return [{ field: "report", reason: why }];
  const adjusted = "No connected source tells figures as the company adjusts them";
  const lines = "No connected source tells them";
  const missing = (field: string, absent: boolean, reason: string | null): readonly Missing[] =>
    absent ? [{ field, reason: reason ?? why }] : [];
  const of = (field: string, { surprisePct, reason }: Surprise) =>
    missing(field, surprisePct === null, reason);
  return [
    ...missing("reportDate", card.reportDate === null, "The source tells no date of this report"),
    ...of("eps.surprisePct", card.eps),
    ...of("revenue.surprisePct", card.revenue),
    ...of("guidance.surprisePct", card.guidance),
    ...missing("signalScore", card.signalScore === null, "Neither EPS nor revenue can be compared"),
    ...missing("adjustedEBITDA", card.adjustedEBITDA === null, adjusted),
    ...missing("adjustedFCF", card.adjustedFCF === null, adjusted),
    ...missing("kpiDeltas", card.kpiDeltas.length === 0, lines),
    ...missing("segmentDeltas", card.segmentDeltas.length === 0, lines),
    ...missing("audited", card.audited === null, "No filing of this quarter is known"),
    ...missing(
      "minutesSinceReport",
      card.minutesSinceReport === null,
      "The hour at which it came out is not known",
    ),
    ...missing("next", card.next === null, "No date of the next report is known"),
  ];
}

function notesOn({ eps, revenue, signal }: EarningsCard): readonly string[] {
  const words = {
    adjusted: "as analysts count, which leaves out what they call one-time",
    gaap: "by accounting rules (GAAP)",
    reported: "as reported",
  } as const;
  return [
    ...(eps.basis === null ? [] : [`EPS and its estimate are counted ${words[eps.basis]}`]),
    ...(signal !== null && eps.result === null && revenue.result !== null
      ? ["The signal is of revenue: EPS cannot be compared"]
      : []),
  ];
}
