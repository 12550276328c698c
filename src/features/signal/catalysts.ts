import { aggregateOf } from "../../analytics/news/aggregate.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { timeFor, withTimeLimit } from "../../lib/time-limit.ts";
import { fetchNews, type NewsPorts } from "../news/read.ts";

/** Sentences on dated events, or the reason why there are none. */
export interface Catalysts {
  readonly lines: readonly string[];
  readonly reason: string | null;
}

const DAY = 86_400_000;
/** Number of past days whose news counts as catalysts. */
const DAYS = 3;
/** Maximum wait for news, ms: news must not delay an analysis of bars. */
const MAX_WAIT_MS = 1_200;
const NO_NEWS = `No news story in the preceding ${DAYS} days`;

/**
 * Counts the news stories on an instrument in the 3 days before `at` (epoch ms). Never quotes headlines: they are
 * third-party text. An unavailable provider yields a reason. Rejects with the abort reason if the caller's signal
 * aborts, and with internal errors.
 */
export async function readCatalysts(
  instrument: Instrument,
  { at, signal }: { readonly at: number; readonly signal: AbortSignal },
  ports: NewsPorts & Pick<Ports, "clock">,
): Promise<Catalysts> {
  const none = (reason: string): Catalysts => ({ lines: [], reason });
  try {
    const range = { from: at - DAYS * DAY, until: at };
    const { feed, read } = await withTimeLimit(timeFor(ports.clock, MAX_WAIT_MS), signal, (limited) =>
      fetchNews(instrument, { ...range, signal: limited }, ports),
    );
    if (feed === null) return none(ports.news.missing ?? "No provider of news is connected");
    if (feed.uncovered !== null) return none(feed.uncovered);
    const { stories, publishers, positive, neutral, negative, abstained } = aggregateOf(read, at);
    const newest = read.stories.at(-1);
    if (newest === undefined) return none(NO_NEWS);
    const summary = `${stories} news ${stories === 1 ? "story" : "stories"} in the preceding ${DAYS} days, by ${publishers} publisher${publishers === 1 ? "" : "s"}`;
    const judged = `${positive} positive, ${neutral} neutral, ${negative} negative, ${abstained} not judged`;
    return {
      lines: [`${new Date(newest.first.publishedAt).toISOString()}: newest of ${summary}: ${judged}`],
      reason: null,
    };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ToolError && cause.code !== "INTERNAL") return none(cause.message);
    if (cause instanceof DOMException) return none("The news provider did not respond in time");
    throw cause;
  }
}
