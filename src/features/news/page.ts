import type { Story } from "../../analytics/news/stories.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { NEWS_HOURS } from "../../domain/news/news.ts";
import { isoTime } from "../../lib/iso-date.ts";
import { encodeCursor, type Page, pageOf } from "../signal/time-page.ts";
import { type RangeRequest, refuseBoth, resolveRange, type TimeRange, zoneOf } from "../signal/time-range.ts";
import type { NewsResult } from "./read.ts";

const HOUR = 3_600_000;
const DEFAULT_HOURS = 72;
const MAX_WINDOW_MS = NEWS_HOURS * HOUR;

/** The part of a range of news that one page reads. Times in epoch ms. */
export interface NewsWindow {
  readonly range: TimeRange;
  readonly read: { readonly from: number; readonly until: number };
  /** Length of that part, rounded up. */
  readonly hours: number;
}

/**
 * Returns the part of a range that a page reads: at most seven days, the newest first. Throws INVALID_INPUT for an invalid
 * range, and for `hours` with `from`.
 */
export function newsWindow(
  { symbol, asset_class }: Instrument,
  { hours, ...times }: RangeRequest & { readonly hours?: number | undefined },
  now: Date,
): NewsWindow {
  refuseBoth({ hours, from: times.from }, "hours", "from");
  const range = resolveRange(times, {
    now,
    zone: zoneOf(asset_class),
    filters: [symbol, hours],
    startOf: (until) => until - (hours ?? DEFAULT_HOURS) * HOUR,
  });
  const until = range.pageEnd;
  const earliest = Math.max(range.from ?? Number.NEGATIVE_INFINITY, until - MAX_WINDOW_MS);
  const from = Math.min(range.position?.from ?? earliest, until);
  const isPart = range.from !== null && range.from < from;
  const part = `This page, its aggregate included, covers ${isoTime(from)} to ${isoTime(until)}; next_cursor continues to ${isoTime(range.from ?? from)}.`;
  const understood = [...(range.notes.understood ?? []), ...(isPart ? [part] : [])];
  return {
    range: understood.length === 0 ? range : { ...range, notes: { understood } },
    read: { from, until },
    hours: Math.max(1, Math.ceil((until - from) / HOUR)),
  };
}

/** Returns the stories of a page, newest first. The page after the last of a window begins where its headlines end. */
export function newsPage({ feed, read }: NewsResult, window: NewsWindow, limit: number): Page<Story> {
  const { range } = window;
  const { from, until } = window.read;
  const timeOf = ({ first }: Story) => first.publishedAt;
  const stories = read.stories.toReversed();
  const page = pageOf(stories, { ...range, from, limit, timeOf });
  if (page.next !== null || feed === null || feed.uncovered !== null) return page;
  const oldest = stories.at(-1);
  const at = Math.min(Math.max(from, feed.completeFrom ?? from), oldest ? timeOf(oldest) : until);
  const start = range.from ?? from;
  if (at <= start || at >= until) return page;
  const returned = Math.max(1, stories.filter((story) => timeOf(story) === at).length);
  return {
    ...page,
    next: encodeCursor({ from: Math.max(start, at - MAX_WINDOW_MS), at, returned }, range.filterKey),
  };
}
