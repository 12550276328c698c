import { z } from "zod";
import { Iso } from "../answers.ts";
import { Percent, Ratio, Score } from "../figures.ts";
import { outsideText } from "../outside-text.ts";

/** Result of a figure against its estimate, best first. */
export const EarningsResult = z
  .enum(["STRONG_BEAT", "BEAT", "IN_LINE", "MISS", "STRONG_MISS"])
  .describe("STRONG: 10% or more; IN_LINE: under 2%. With surprise_of price: 0.25% and 0.05%");
export type EarningsResult = z.infer<typeof EarningsResult>;

/**
 * Accounting basis of a figure: `adjusted` as analysts count it, `gaap` as audited, `reported` if only one
 * basis exists, as for revenue.
 */
export const FigureBasis = z.enum(["adjusted", "gaap", "reported"]);
export type FigureBasis = z.infer<typeof FigureBasis>;

/** A figure with its provider and accounting basis; only figures of one provider and basis are compared. */
export interface EarningsFigure {
  readonly value: number;
  readonly basis: FigureBasis;
  readonly by: string;
}

/** Actual and expected values. */
export interface ActualAndEstimate {
  readonly actual: EarningsFigure | null;
  readonly estimate: EarningsFigure | null;
}

/** A line of a report with its value one year earlier. */
export interface ReportLine {
  readonly name: string;
  readonly unit: string;
  readonly current: number;
  readonly prior: number;
  /** Direction of change that is good news. */
  readonly good: "UP" | "DOWN";
}

/** Figures filed with the regulator, audited or reviewed. */
export const Filed = z.object({
  epsDiluted: z.number().nullable(),
  revenue: z.number().nullable(),
  netIncome: z.number().nullable(),
  form: z.string(),
  filed: z.iso.date(),
});
export type Filed = z.infer<typeof Filed>;

/** One quarter's report, as far as it is known. Dates `YYYY-MM-DD`, times epoch ms. */
export interface EarningsReport {
  /** `Q3 2026`, as its provider counts quarters. */
  readonly period: string;
  readonly periodEnd: string | null;
  readonly reportDate: string | null;
  /** Time of publication; null if the time is not known. */
  readonly reportedAt: number | null;
  readonly eps: ActualAndEstimate;
  readonly revenue: ActualAndEstimate;
  /** Next quarter's revenue: `actual` is the company's guidance, `estimate` the analysts' consensus before it. */
  readonly guidance: ActualAndEstimate;
  readonly adjustedEBITDA: number | null;
  readonly adjustedFCF: number | null;
  readonly kpis: readonly ReportLine[];
  readonly segments: readonly ReportLine[];
  readonly filed: Filed | null;
}

const NO_FIGURE = { actual: null, estimate: null } as const;

/** A report with only its quarter known. */
export const blankReport = (period: string): EarningsReport => ({
  period,
  periodEnd: null,
  reportDate: null,
  reportedAt: null,
  eps: NO_FIGURE,
  revenue: NO_FIGURE,
  guidance: NO_FIGURE,
  adjustedEBITDA: null,
  adjustedFCF: null,
  kpis: [],
  segments: [],
  filed: null,
});

/** Time of day at which a report comes out. */
export const ReportHour = z.enum(["before_open", "during_session", "after_close", "unknown"]);
export type ReportHour = z.infer<typeof ReportHour>;

/** A past or upcoming report as a calendar lists it. */
export const ScheduledReport = z.object({
  symbol: z.string(),
  name: z.string().nullable().describe("Company name as the provider writes it; outside text"),
  date: z.iso.date(),
  hour: ReportHour,
  confirmed: z.boolean().describe("false: estimated by the provider"),
  period: z.string().nullable().describe("Fiscal quarter as the provider counts it, e.g. Q3 2026"),
  eps_estimate: z.number().nullable(),
  eps_actual: z.number().nullable(),
  revenue_estimate: z.number().nullable(),
  revenue_actual: z.number().nullable(),
});
export type ScheduledReport = z.infer<typeof ScheduledReport>;

/** Notice in every answer: names of companies are text written by providers. */
export const REPORT_OUTSIDE_TEXT = outsideText("names of companies (name)");

export const Surprise = z.object({
  actual: z.number().nullable(),
  estimate: z.number().nullable(),
  surprisePct: Percent.nullable().describe("Percent of the measure in surprise_of"),
  surprise_of: z
    .enum(["estimate", "price"])
    .nullable()
    .describe("price: estimates under 0.10 USD are too small to divide by"),
  result: EarningsResult.nullable(),
  basis: FigureBasis.nullable().describe("Accounting basis of both figures"),
  reason: z.string().nullable().describe("Why there is no surprise"),
});
export type Surprise = z.infer<typeof Surprise>;

/** A line of a report against the same line a year earlier. */
export const LineDelta = z.object({
  name: z.string(),
  unit: z.string(),
  current: z.number(),
  prior: z.number(),
  changePct: Percent.nullable().describe("null where the prior figure is 0"),
  direction: z.enum(["UP", "DOWN", "FLAT"]),
  isMateriallyPositive: z.boolean().describe("Changes of 5% or more for the better"),
  isMateriallyNegative: z.boolean().describe("Changes of 5% or more for the worse"),
});
export type LineDelta = z.infer<typeof LineDelta>;

export const ScorePart = z.object({
  part: z.enum(["eps", "revenue", "guidance", "kpis", "segments"]),
  weight: Ratio.describe("Weight among the available parts, 0-1"),
  value: Ratio.describe("-1 to 1"),
});
export type ScorePart = z.infer<typeof ScorePart>;

/** A quarter before the one that is reported in full. */
export const PastQuarter = z.object({
  period: z.string(),
  reportDate: z.iso.date().nullable(),
  epsActual: z.number().nullable(),
  epsEstimate: z.number().nullable(),
  surprisePct: Percent.nullable(),
  result: EarningsResult.nullable(),
});

export const EarningsCard = z.object({
  symbol: z.string(),
  companyName: z.string(),
  period: z.string().nullable(),
  reportDate: z.iso.date().nullable(),
  signal: EarningsResult.nullable().describe("Result of EPS; of revenue if EPS has no result"),
  signalScore: Score.nullable().describe("0-100; 50: as expected"),
  score_parts: z.array(ScorePart),
  eps: Surprise,
  revenue: Surprise,
  guidance: Surprise.describe("Midpoint, next quarter"),
  adjustedEBITDA: z.number().nullable(),
  adjustedFCF: z.number().nullable(),
  kpiDeltas: z.array(LineDelta),
  segmentDeltas: z.array(LineDelta),
  bullishPoints: z.array(z.string()),
  bearishPoints: z.array(z.string()),
  audited: Filed.nullable().describe("GAAP figures as filed; not comparable with estimates"),
  history: z.array(PastQuarter).describe("Earlier quarters, newest first"),
  next: ScheduledReport.nullable(),
  dataSource: z.string().nullable().describe("Provider of the figures; null without one"),
  minutesSinceReport: z.number().int().nullable(),
  fetchedAt: Iso.nullable().describe("When the figures were fetched; null: no provider answered"),
  cached: z.boolean().describe("true: answered from the cache"),
});
export type EarningsCard = z.infer<typeof EarningsCard>;
