import { EarningsCard } from "../../domain/earnings/earnings.ts";
import { ScanError, ScanRow } from "../../domain/nightly/scan.ts";
import { Actionability, EdgeType } from "../../domain/prediction-markets/edge.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import { Proposal, ProposalError } from "../../domain/trading/proposal.ts";
import { ReviewedRow } from "../../domain/trading/review.ts";
import { formatReview } from "../trading/position-review.ts";
import { formatProposals } from "../trading/proposals.ts";
import { formatScan } from "./lists.text.ts";

type Answer = Readonly<Record<string, unknown>>;
type AnswerFormatter = (answer: Answer, paint: Paint) => string | null;

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

const formatScanAnswer: AnswerFormatter = (answer, paint) => {
  const results = ScanRow.array().safeParse(answer.results).data;
  const errors = ScanError.array().safeParse(answer.errors).data;
  if (results === undefined || errors === undefined) return null;
  const scanned = results.length + errors.length;
  const notes = { notes: texts(answer.notes), stale_notes: texts(answer.stale_notes) };
  return formatScan({ results, errors, scanned, ...notes }, paint);
};

const formatProposalAnswer: AnswerFormatter = (answer, paint) => {
  const proposals = Proposal.array().safeParse(answer.proposals).data;
  const errors = ProposalError.array().safeParse(answer.errors).data;
  if (proposals === undefined || errors === undefined) return null;
  const summary = text(answer.summary) ?? "";
  return formatProposals({ summary, proposals, errors, notes: texts(answer.notes) }, paint);
};

const formatReviewAnswer: AnswerFormatter = (answer, paint) => {
  const positions = ReviewedRow.array().safeParse(answer.positions).data;
  const summary = text(answer.summary);
  if (positions === undefined || summary === null) return null;
  return formatReview({ positions, summary, hint: text(answer.hint), notes: texts(answer.notes) }, paint);
};

const formatEdgeAnswer: AnswerFormatter = (answer, paint) => {
  const actionability = Actionability.safeParse(answer.actionability).data;
  const recommendation = text(answer.recommendation);
  if (actionability === undefined || recommendation === null) return null;
  const type = EdgeType.safeParse(answer.type).data ?? "no verdict";
  return `${paint("bold", text(answer.symbol) ?? "")}  ${type}  ${actionability}  ${recommendation}`;
};

const formatReportAnswer: AnswerFormatter = (answer, paint) => {
  const { data } = EarningsCard.safeParse(answer);
  if (data === undefined) return null;
  const score = data.signalScore === null ? "" : `  score ${formatScore(data.signalScore)}`;
  const of = data.reportDate === null ? "" : ` of ${data.reportDate}`;
  return `${paint("bold", data.symbol)}  ${data.signal ?? "no signal"}${score}  ${data.period ?? "no report"}${of}`;
};

/** Formats a tool's complete answer, whose kind it detects from the fields. Returns null for an unknown kind. */
export const formatAnswer: AnswerFormatter = (answer, paint) =>
  formatScanAnswer(answer, paint) ??
  formatProposalAnswer(answer, paint) ??
  formatReviewAnswer(answer, paint) ??
  formatEdgeAnswer(answer, paint) ??
  formatReportAnswer(answer, paint);
