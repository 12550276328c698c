import { type NewsLean, newsLean } from "../../analytics/edge/news-lean.ts";
import { NEWS_DAYS } from "../../analytics/news/fact.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { fetchNews, type NewsPorts } from "../news/read.ts";
import { describeFailure, type Moment } from "./edge-market-side.ts";

const DAY = 86_400_000;

/** What news says of an instrument at a moment. */
export interface NewsSide {
  /** null where no list could be had. */
  readonly said: NewsLean | null;
  /** Why there is no lean; null where there is one. */
  readonly reason: string | null;
  readonly source: string | null;
  readonly fetchedAt: string | null;
  readonly stale: boolean;
}

/** Reads the news of the 7 days before a moment; an outage is no lean with its reason, never a neutral one. */
export async function readNewsSide(
  instrument: Instrument,
  { now, asOf, signal }: Moment,
  ports: NewsPorts,
): Promise<NewsSide> {
  const none = (reason: string): NewsSide => ({
    said: null,
    reason,
    source: null,
    fetchedAt: null,
    stale: false,
  });
  const at = asOf ?? now;
  try {
    const { feed, read } = await fetchNews(
      instrument,
      { from: at - NEWS_DAYS * DAY, until: at, signal },
      ports,
    );
    if (feed === null) return none(ports.news.missing ?? "No source of news is connected");
    if (feed.uncovered !== null) return none(feed.uncovered);
    const said = newsLean(read.stories, at);
    return {
      said,
      reason: said.lean === null ? unjudged(said.stories) : null,
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
    ? `No story about it is known of the ${NEWS_DAYS} days before`
    : `Of ${stories} ${stories === 1 ? "story" : "stories"} of the ${NEWS_DAYS} days before none could be judged`;
