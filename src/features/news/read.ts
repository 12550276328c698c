import { unpackModel } from "../../analytics/news/classify.ts";
import { analyzeNews, type NewsAnalysis } from "../../analytics/news/stories.ts";
import { type Subject, subjectOf } from "../../analytics/news/subject.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Headline } from "../../domain/news/news.ts";
import type { NewsFeed, Ports } from "../../domain/ports.ts";

export type NewsPorts = Pick<Ports, "news" | "symbols" | "cache">;

/** News about an instrument in a range, with the analysis of the headlines. */
export interface NewsResult {
  /** null if no provider is connected. */
  readonly feed: NewsFeed | null;
  readonly read: NewsAnalysis;
}

const CACHE_TTL_MS = 24 * 3_600_000;

/**
 * Returns headlines published in [from, until] (epoch ms), grouped into stories with their sentiment on the instrument.
 * Rejects with UPSTREAM_UNAVAILABLE.
 */
export async function fetchNews(
  instrument: Instrument,
  range: { readonly from: number; readonly until: number; readonly signal: AbortSignal },
  { news, symbols, cache }: NewsPorts,
): Promise<NewsResult> {
  const feed = await news.headlines(instrument, range);
  if (feed === null) return { feed, read: { stories: [], unrelated: 0 } };
  const model = await cache.remember("news model", CACHE_TTL_MS, async () =>
    // loaded only if there are headlines to judge: the model is the largest file of all
    unpackModel((await import("../../analytics/news/weights.json", { with: { type: "json" } })).default),
  );
  const [tags, others] = taggedAs(instrument, feed.headlines, symbols);
  return { feed, read: analyzeNews(feed.headlines, { subject: subjectOf(instrument), tags, others }, model) };
}

/** Splits the headlines' tags into those that mean the instrument and those of other instruments. */
function taggedAs(
  { symbol }: Instrument,
  headlines: readonly Headline[],
  symbols: Ports["symbols"],
): readonly [ReadonlySet<string>, ReadonlyMap<string, Subject>] {
  const own = new Set<string>();
  const others = new Map<string, Subject>();
  for (const tag of new Set(headlines.flatMap(({ tags }) => tags))) {
    const found = tag === symbol ? null : symbols.find(tag);
    if (tag === symbol || found?.instrument.symbol === symbol) own.add(tag);
    else if (found !== null) others.set(tag, subjectOf(found.instrument));
  }
  return [own, others];
}
