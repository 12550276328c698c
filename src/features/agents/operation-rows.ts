import type { OperationRow } from "../../domain/agents/operation-answer.ts";
import type { PriceSource } from "../../domain/market/market.ts";
import type { NewsRow } from "../../domain/news/news.ts";
import type { ScanRow, ScreenRow } from "../../domain/nightly/scan.ts";
import type { ListedContract } from "../../domain/prediction-markets/contracts.ts";
import type { Actionability, EdgeMarket, EdgeNews, EdgeType } from "../../domain/prediction-markets/edge.ts";
import type { Signal } from "../../domain/signal/signal.ts";

interface SignalAnswer {
  readonly data: {
    readonly signal: Signal;
    readonly price: number | null;
    readonly price_source: PriceSource | null;
    readonly bars: { readonly as_of: string };
    readonly source: string;
    readonly reasons: readonly string[];
  };
  readonly data_as_of: string;
}

/** Maps a signal to a row with the given entry; with detail "full", the row includes the reasons. */
export function signalRow(
  { data, data_as_of }: SignalAnswer,
  { entry, detail }: { readonly entry: number; readonly detail: "concise" | "full" | undefined },
): OperationRow {
  const { signal, price, price_source, bars, source, reasons } = data;
  const { symbol, direction, tier, score, grade, levels_basis } = signal;
  const verdict = { direction, tier, score, grade, null_reason: score === null ? signal.reason : null };
  const { stop_loss: stop, reward_to_risk: rr, targets } = signal;
  const levels = { entry, stop, target: targets[0]!, rr, levels_basis };
  return {
    symbol,
    source,
    as_of: [data_as_of, bars.as_of].toSorted().at(-1)!,
    signal: {
      ...verdict,
      ...levels,
      price,
      price_source,
      ...(detail === "full" && { reasons: [...reasons] }),
    },
  };
}

/** Maps a scan row; its price is the close of the decision bar. */
export function scanRow(row: Omit<ScanRow, "odds">): OperationRow {
  const { symbol, source, as_of, bias: direction, close: price, tier, score, grade } = row;
  const { entry, stop, target, rr, levels_basis } = row;
  const levels = { entry, stop, target, rr, levels_basis };
  const verdict = { direction, tier, score, grade, null_reason: null };
  return { symbol, source, as_of, signal: { ...verdict, ...levels, price, price_source: "decision_bar" } };
}

export const screenRow = ({ overallScore: score, actionCard, ...row }: ScreenRow): OperationRow =>
  scanRow({ ...row, ...actionCard, score });

export function storyRow(symbol: string, story: NewsRow): OperationRow {
  const { title, publisher, published_at, url, sentiment, relevance, source } = story;
  const { label, tone } = sentiment;
  const words = { title, publisher, published_at, url };
  return { symbol, source, as_of: published_at, story: { ...words, sentiment: label, tone, relevance } };
}

/** Maps a prediction market contract; `source` is the provider of its venue. */
export const contractRow = (
  { symbol, source }: { readonly symbol: string | null; readonly source: string | null },
  { as_of, ...contract }: ListedContract,
): OperationRow => ({ symbol, source, as_of, contract: { ...contract, probability_unit: "0-1" } });

interface EdgeAnswer {
  readonly symbol: string;
  readonly type: EdgeType | null;
  readonly score: number | null;
  readonly actionability: Actionability;
  readonly marketProbability: number | null;
  readonly newsSentiment: number | null;
  readonly divergence: number | null;
  readonly null_reason: string | null;
  readonly markets: EdgeMarket;
  readonly news: EdgeNews;
  readonly as_of: string;
}

/** Maps an edge to a row with its market side, its news side and the question. */
export function edgeRow(answer: EdgeAnswer): OperationRow {
  const { symbol, as_of, markets, news, type, score, actionability, divergence, null_reason } = answer;
  const sources = [markets.source, news.source].filter((source) => source !== null);
  return {
    symbol,
    source: [...new Set(sources)].join(", ") || null,
    as_of,
    edge: {
      type,
      score,
      actionability,
      divergence,
      null_reason,
      market_probability: answer.marketProbability,
      news_probability: answer.newsSentiment,
      probability_unit: "percent",
      question: markets.question,
      by: markets.by,
    },
  };
}
