import type { EarningsCard, Surprise } from "../../domain/earnings/earnings.ts";
import type { EarningsAnswer } from "../../domain/earnings/earnings-port.ts";

/** A field that is null or empty, with the reason. */
export interface MissingField {
  readonly field: string;
  readonly reason: string;
}

/** Returns the reason for a missing report: the first coverage note. */
export const noEarningsReason = ([
  first = "The provider has no report of this company",
]: readonly string[]): string => first;

/** Returns every documented field without a value, with the reason. */
export function missingFields(
  card: EarningsCard,
  { coverage, reports, connects = {} }: EarningsAnswer,
): readonly MissingField[] {
  if (reports.length === 0) return [{ field: "report", reason: noEarningsReason(coverage) }];
  const [why = "The provider does not supply it"] = coverage;
  const adjusted = "No connected provider supplies company-adjusted figures";
  const lines = "No connected provider supplies them";
  const missing = (field: string, absent: boolean, reason: string | null): readonly MissingField[] =>
    absent ? [{ field, reason: reason ?? why }] : [];
  const of = (field: string, { surprisePct, reason }: Surprise) =>
    missing(field, surprisePct === null, reason);
  return [
    ...missing("reportDate", card.reportDate === null, "The provider has no date of this report"),
    ...of("eps.surprisePct", card.eps),
    ...of("revenue.surprisePct", {
      ...card.revenue,
      reason:
        card.revenue.estimate === null
          ? withSetting(card.revenue.reason, connects.estimates)
          : card.revenue.reason,
    }),
    ...of("guidance.surprisePct", card.guidance),
    ...missing("signalScore", card.signalScore === null, "Neither EPS nor revenue can be compared"),
    ...missing("adjustedEBITDA", card.adjustedEBITDA === null, adjusted),
    ...missing("adjustedFCF", card.adjustedFCF === null, adjusted),
    ...missing("kpiDeltas", card.kpiDeltas.length === 0, withSetting(lines, connects.filings)),
    ...missing("segmentDeltas", card.segmentDeltas.length === 0, lines),
    ...missing(
      "audited",
      card.audited === null,
      withSetting("No filing of this quarter is known", connects.filings),
    ),
    ...missing(
      "minutesSinceReport",
      card.minutesSinceReport === null,
      withSetting("The time of the release is unknown", connects.filings),
    ),
    ...missing("next", card.next === null, "No date of the next report is known"),
  ];
}

/** Appends the setting that connects a provider to a reason. */
const withSetting = (reason: string | null, setting: string | undefined): string | null =>
  setting === undefined || reason === null ? reason : `${reason}; ${setting}`;

/** Returns notes on the accounting basis of a card's figures. */
export function cardNotes({ eps, revenue, signal }: EarningsCard): readonly string[] {
  const words = {
    adjusted: "adjusted figures, without items that analysts call one-time",
    gaap: "GAAP figures",
    reported: "as-reported figures",
  } as const;
  return [
    ...(eps.basis === null ? [] : [`EPS and its estimate are ${words[eps.basis]}`]),
    ...(signal !== null && eps.result === null && revenue.result !== null
      ? ["The signal is based on revenue: EPS cannot be compared"]
      : []),
  ];
}
