import type { Instrument } from "../../domain/market/market.ts";
import { NEWS_HOURS } from "../../domain/news/news.ts";
import { newsAnswer } from "./answer.ts";
import { fetchNews, type NewsPorts } from "./read.ts";

interface MarksRequest {
  /** Epoch ms; no headline is later. */
  readonly at: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Returns the newest stories of the seven days before a time; rows are null with a reason if no list is available. */
export async function newsMarks(
  instrument: Instrument,
  { at, limit, signal }: MarksRequest,
  ports: NewsPorts,
) {
  const result = await fetchNews(instrument, { from: at - NEWS_HOURS * 3_600_000, until: at, signal }, ports);
  const page = result.read.stories.toReversed().slice(0, limit);
  const { news, coverage } = newsAnswer(result, { at, page, missing: ports.news.missing });
  if (!coverage.covered) return { rows: null, reason: coverage.reason };
  const rows = news.map(({ title, publisher, published_at, url }) => ({
    title,
    publisher,
    published_at,
    url,
  }));
  return { rows, reason: coverage.note };
}
