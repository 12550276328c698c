import type { OperationRow } from "../../domain/agents/operation-answer.ts";
import type { NewsAggregate, NewsCoverage } from "../../domain/news/news.ts";
import type { VenueCoverage } from "../../domain/prediction-markets/contracts.ts";

/** Summarizes a signal in one sentence, or explains the missing score. */
export function formatSignalSummary({ symbol, signal }: OperationRow): string {
  const { direction, grade, score, null_reason } = signal!;
  return score === null
    ? `${symbol}: ${direction}, no score and no grade: ${null_reason ?? "its data is missing"}`
    : `${symbol}: ${direction}, grade ${grade ?? "none"}, score ${score.toFixed(1)}`;
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
  const { stories, positive, negative, mean_score, reason } = aggregate;
  if (stories === null) return `News about ${symbol} is unavailable: ${coverage.reason}`;
  const mean = mean_score === null ? `none: ${reason}` : mean_score.toFixed(2);
  const limited = shown < stories ? `, the newest ${shown} shown` : "";
  return `${stories} stories about ${symbol} in ${hours} hours${limited}, ${positive} positive and ${negative} negative; mean score ${mean}`;
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

/** Lists venues that did not respond, with the reason. */
export const formatUnavailableVenues = (coverage: readonly VenueCoverage[]): readonly string[] =>
  coverage.flatMap(({ venue, state, reason }) =>
    state === "answered" ? [] : [`${venue}: ${reason ?? state}`],
  );
