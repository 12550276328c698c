import type { OperationAnswer, OperationRow } from "../../domain/agents/operation-answer.ts";
import type { NewsAggregate, NewsCoverage } from "../../domain/news/news.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import type { VenueCoverage } from "../../domain/prediction-markets/contracts.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import { formatRewardToRisk } from "../../domain/signal/reward-to-risk.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { plainText } from "../../lib/plain-text.ts";
import { splitNotes } from "../signal/notes.ts";

const COLOUR = { LONG: "green", SHORT: "red", WAIT: "yellow" } as const;
const MAX_TEXT_LENGTH = 120;

/** Formats the response of an operation: summary, one line per result, errors and notes. */
export function formatOperation(
  { results, errors, summary, outside_text, as_of, ...notes }: OperationAnswer,
  paint: Paint,
): string {
  const { first, others } = splitNotes(notes);
  return [
    ...first.map((note) => paint("yellow", sanitized(note))),
    paint("bold", summary),
    ...(outside_text === undefined ? [] : [paint("dim", QUOTED_TEXT_NOTICE)]),
    ...results.map((row) => formatRow(row, paint)),
    ...errors.map(
      ({ symbol, code, message }) => `${sanitized(symbol)}  ${paint("yellow", code)}  ${sanitized(message)}`,
    ),
    ...others.map((note) => paint("yellow", sanitized(note))),
    ...(as_of === null ? [] : [paint("dim", `as of ${as_of}`)]),
  ].join("\n");
}

/** Sanitizes and truncates text from outside, so that it is safe to print. */
const sanitized = (text: string): string => plainText(text, 300);

function formatRow({ symbol, signal, story, contract, edge }: OperationRow, paint: Paint): string {
  if (signal !== undefined) {
    const { direction, score, grade, tier, entry, stop, target, rr, levels_basis, price } = signal;
    const { null_reason, reasons = [] } = signal;
    const verdict = `${paint(COLOUR[direction], direction.padEnd(6))}${tier.padEnd(8)} score ${score === null ? "none" : formatScore(score)}  ${formatGrade({ direction, grade })}`;
    const levels = `entry ${formatPrice(entry)}  stop ${formatPrice(stop)}  target ${formatPrice(target)}  rr ${formatRewardToRisk(rr)}`;
    return [
      `${(symbol ?? "").padEnd(10)}${verdict}  ${levels}${levels_basis === "watch" ? " (to watch)" : ""}  ${paint("dim", price === null ? "no price" : `at ${formatPrice(price)}`)}`,
      ...(null_reason === null ? [] : [`  ${paint("yellow", null_reason)}`]),
      ...reasons.map((reason) => `  ${reason}`),
    ].join("\n");
  }
  if (story !== undefined) {
    const { title, publisher, published_at, sentiment, tone } = story;
    const mark = sentiment === null || tone === null ? "no sentiment" : `${sentiment} ${tone.toFixed(2)}`;
    const by = publisher === null ? "unnamed" : quoted(publisher, MAX_TEXT_LENGTH);
    return `${published_at.slice(0, 16)}Z  ${mark.padEnd(14)}  ${quoted(title, MAX_TEXT_LENGTH)} ${paint("dim", `(${by})`)}`;
  }
  if (edge !== undefined) {
    const { type, score, actionability, market_probability, news_probability, divergence, question } = edge;
    const sides = `markets ${formatPercent(market_probability)}  news ${formatPercent(news_probability)}`;
    const verdict = divergence === null ? "no divergence" : `${divergence} points, score ${score ?? "none"}`;
    const of = question === null ? "" : `  ${quoted(question, MAX_TEXT_LENGTH)}`;
    return `${(symbol ?? "").padEnd(10)}${paint("bold", type ?? "no verdict")}  ${verdict}, ${actionability}  ${sides}${of}`;
  }
  if (contract === undefined) return symbol ?? "";
  const { venue, question, outcome, probability, volume_total, volume_unit } = contract;
  const share = formatPercent(probability === null ? null : 100 * probability).padStart(6);
  const volume = volume_total === null ? "volume unknown" : `${Math.round(volume_total)} ${volume_unit}`;
  const answer = outcome === "Yes" ? "" : `  ${quoted(outcome, MAX_TEXT_LENGTH)}`;
  return `${paint("bold", share)}  ${venue}  ${quoted(question, MAX_TEXT_LENGTH)}${answer}  ${paint("dim", volume)}`;
}

const formatPercent = (value: number | null): string => (value === null ? "?" : `${value.toFixed(1)}%`);

/** Summarizes a signal in one sentence, or explains why it has no score. */
export function formatSignalSummary({ symbol, signal }: OperationRow): string {
  const { direction, grade, score, null_reason } = signal!;
  return score === null
    ? `${symbol}: ${direction}, no score and no grade: ${null_reason ?? "its data is missing"}`
    : `${symbol}: ${direction}, ${formatGrade({ direction, grade })}, score ${formatScore(score)}`;
}

/** Counts signals by direction, and those without a score. */
export function formatDirectionCounts(rows: readonly OperationRow[]): string {
  const count = (direction: string) => rows.filter(({ signal }) => signal?.direction === direction).length;
  const unscored = rows.filter(({ signal }) => signal?.score === null).length;
  const among = unscored === 0 ? "" : ` (${unscored} without a score)`;
  return `${count("LONG")} LONG, ${count("SHORT")} SHORT, ${count("WAIT")} WAIT${among}`;
}

interface NewsAnswer {
  readonly symbol: string;
  readonly hours: number;
  readonly aggregate: NewsAggregate;
  readonly coverage: NewsCoverage;
}

/** Summarizes the headlines of a period, or explains why they are missing. */
export function formatNewsSummary({ symbol, hours, aggregate, coverage }: NewsAnswer, shown: number): string {
  const { stories, positive, negative, mean_tone, reason } = aggregate;
  if (stories === null) return `News about ${symbol} is unavailable: ${coverage.reason}`;
  const mean = mean_tone === null ? `none: ${reason}` : mean_tone.toFixed(2);
  const limited = shown < stories ? `, the newest ${shown} shown` : "";
  return `${stories} stories about ${symbol} in ${hours} hours${limited}, ${positive} positive and ${negative} negative; mean tone ${mean}`;
}

interface ContractsAnswer {
  readonly symbol: string | null;
  readonly total: number | null;
  readonly reason: string | null;
}

/** Counts the contracts shown, or explains why there are none. */
export function formatContractsSummary({ symbol, total, reason }: ContractsAnswer, shown: number): string {
  const about = symbol ?? "the economy";
  return reason === null
    ? `${shown} of ${total} open contracts about ${about}`
    : `No contracts about ${about}: ${reason}`;
}

/** Formats the venues that did not respond, each with the reason. */
export const formatUnavailableVenues = (coverage: readonly VenueCoverage[]): readonly string[] =>
  coverage.flatMap(({ venue, state, reason }) =>
    state === "answered" ? [] : [`${venue}: ${reason ?? state}`],
  );
