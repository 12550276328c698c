import { aggregateOf } from "../../analytics/news/aggregate.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { fetchNews, type NewsPorts } from "../news/read.ts";

/** Dated events in our own words; without any, why there is none. */
export interface Catalysts {
  readonly lines: readonly string[];
  readonly reason: string | null;
}

const DAY = 86_400_000;
/** Days of news that count as what may move a price. */
const DAYS = 3;
/** Longest wait for them: an analysis of bars does not wait for more. */
const MAX_WAIT_MS = 1_200;
const NO_NEWS = `No story of the ${DAYS} days before`;

/**
 * What was known of an instrument besides its bars at a moment (epoch ms), in counts: headlines are outside text and stay out of
 * sentences of ours. Rejects only with the caller's own reason when the signal aborts.
 */
export async function readCatalysts(
  instrument: Instrument,
  { at, signal }: { readonly at: number; readonly signal: AbortSignal },
  ports: NewsPorts,
): Promise<Catalysts> {
  const none = (reason: string): Catalysts => ({ lines: [], reason });
  const patience = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  try {
    const { feed, read } = await fetchNews(
      instrument,
      { from: at - DAYS * DAY, until: at, signal: patience },
      ports,
    );
    if (feed === null) return none(ports.news.missing ?? "No source of news is connected");
    if (feed.uncovered !== null) return none(feed.uncovered);
    const { stories, publishers, positive, neutral, negative, abstained } = aggregateOf(read, at);
    const newest = read.stories.at(-1);
    if (newest === undefined) return none(NO_NEWS);
    const summary = `${stories} news ${stories === 1 ? "story" : "stories"} of the ${DAYS} days before, by ${publishers} publisher${publishers === 1 ? "" : "s"}`;
    const judged = `${positive} positive, ${neutral} neutral, ${negative} negative, ${abstained} not judged`;
    return {
      lines: [`${new Date(newest.first.publishedAt).toISOString()}: newest of ${summary}: ${judged}`],
      reason: null,
    };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ToolError && cause.code !== "INTERNAL") return none(cause.message);
    if (cause instanceof DOMException) return none("The source of news did not answer in time");
    throw cause;
  }
}
