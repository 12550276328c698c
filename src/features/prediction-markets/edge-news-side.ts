import { type NewsLean, newsLean } from "../../analytics/edge/news-lean.ts";
import { NEWS_DAYS } from "../../analytics/news/fact.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { fetchNews, type NewsPorts } from "../news/read.ts";
import { describeFailure, type Moment } from "./edge-market-side.ts";

const DAY = 86_400_000;

/** News sentiment of an instrument at a point in time. */
export interface NewsSide {
  /** null if no list of headlines is available. */
  readonly sentiment: NewsLean | null;
  /** Reason why there is no lean; null if there is one. */
  readonly reason: string | null;
  readonly source: string | null;
  readonly fetchedAt: string | null;
  readonly stale: boolean;
}

/**
 * Reads the news sentiment of the 7 days before a given time. An outage returns no lean and a reason, never a
 * neutral lean.
 */
export async function readNewsSide(
  instrument: Instrument,
  { now, asOf, signal }: Moment,
  ports: NewsPorts,
): Promise<NewsSide> {
  const none = (reason: string) => ({ sentiment: null, reason, source: null, fetchedAt: null, stale: false });
  const at = asOf ?? now;
  const window = { from: at - NEWS_DAYS * DAY, until: at, signal };
  try {
    const { feed, read } = await fetchNews(instrument, window, ports);
    if (feed === null) return none(ports.news.missing ?? "No provider of news is connected");
    if (feed.uncovered !== null) return none(feed.uncovered);
    const sentiment = newsLean(read.stories, at);
    return {
      sentiment,
      reason: sentiment.lean === null ? unjudged(sentiment.stories) : null,
      source: feed.source,
      fetchedAt: feed.fetchedAt === null ? null : new Date(feed.fetchedAt).toISOString(),
      stale: feed.stale,
    };
  } catch (cause) {
    return none(describeFailure(cause, signal));
  }
}

const unjudged = (stories: number): string =>
  stories === 0
    ? `No news story in the preceding ${NEWS_DAYS} days`
    : `No sentiment could be determined for the ${stories === 1 ? "only story" : `${stories} stories`} in the preceding ${NEWS_DAYS} days`;
