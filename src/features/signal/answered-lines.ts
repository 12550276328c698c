import { EarningsCard } from "../../domain/earnings/earnings.ts";
import { ScanError, ScanRow } from "../../domain/nightly/scan.ts";
import { Actionability, EdgeType } from "../../domain/prediction-markets/edge.ts";
import type { Paint } from "../../domain/terminal.ts";
import { Proposal, ProposalError } from "../../domain/trading/proposal.ts";
import { ReviewedRow } from "../../domain/trading/review.ts";
import { reviewLines } from "../trading/position-review.ts";
import { proposalLines } from "../trading/proposals.ts";
import { scanLines } from "./lists.ts";

type Answer = Readonly<Record<string, unknown>>;
type Lines = (answer: Answer, paint: Paint) => string | null;

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

const scanned: Lines = (answer, paint) => {
  const results = ScanRow.array().safeParse(answer.results).data;
  const errors = ScanError.array().safeParse(answer.errors).data;
  if (results === undefined || errors === undefined) return null;
  return scanLines(
    { results, errors, notes: texts(answer.notes), scanned: results.length + errors.length },
    paint,
  );
};

const proposed: Lines = (answer, paint) => {
  const proposals = Proposal.array().safeParse(answer.proposals).data;
  const errors = ProposalError.array().safeParse(answer.errors).data;
  if (proposals === undefined || errors === undefined) return null;
  const summary = text(answer.summary) ?? "";
  return proposalLines({ summary, proposals, errors, notes: texts(answer.notes) }, paint);
};

const reviewed: Lines = (answer, paint) => {
  const positions = ReviewedRow.array().safeParse(answer.positions).data;
  const summary = text(answer.summary);
  if (positions === undefined || summary === null) return null;
  return reviewLines({ positions, summary, hint: text(answer.hint) }, paint);
};

const edge: Lines = (answer, paint) => {
  const actionability = Actionability.safeParse(answer.actionability).data;
  const recommendation = text(answer.recommendation);
  if (actionability === undefined || recommendation === null) return null;
  const type = EdgeType.safeParse(answer.type).data ?? "no verdict";
  return `${paint("bold", text(answer.symbol) ?? "")}  ${type}  ${actionability}  ${recommendation}`;
};

const reported: Lines = (answer, paint) => {
  const { data } = EarningsCard.safeParse(answer);
  if (data === undefined) return null;
  const score = data.signalScore === null ? "" : `  score ${data.signalScore.toFixed(1)}`;
  const of = data.reportDate === null ? "" : ` of ${data.reportDate}`;
  return `${paint("bold", data.symbol)}  ${data.signal ?? "no signal"}${score}  ${data.period ?? "no report"}${of}`;
};

/** A tool's whole answer in the lines that its kind has, told by its shape; null for another. */
export function answeredLines(answer: Answer, paint: Paint): string | null {
  for (const lines of [scanned, proposed, reviewed, edge, reported]) {
    const found = lines(answer, paint);
    if (found !== null) return found;
  }
  return null;
}
