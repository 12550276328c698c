import { TIMEFRAME_MS, type Timeframe } from "../../domain/market/bars.ts";
import {
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import type { ApiGet } from "./client.ts";
import { barOf, Candles } from "./wire.ts";

/** Most rows of one call, both ends counted; a call for more is refused whole. */
const PAGE = 300;
/** Most calls of one question, and of those under way together. */
const MAX_PAGES = 10;
const MAX_CONCURRENT_PAGES = 2;

/** A page of bars: the starts of its first and its last, epoch ms. */
interface Page {
  readonly start: number;
  readonly end: number;
}

/** Every bar of a window, or a failure. Intervals without a trade have no bar, so an empty page says nothing. */
export async function barsOf(
  ask: ApiGet,
  product: string,
  request: ProviderBarsRequest,
): Promise<ProviderBar[]> {
  const { timeframe, signal } = request;
  const pages = pagesOf(request);
  const bars: ProviderBar[] = [];
  for (let i = 0; i < pages.length; i += MAX_CONCURRENT_PAGES) {
    const together = pages.slice(i, i + MAX_CONCURRENT_PAGES);
    const rows = await Promise.all(together.map((page) => pageOf(ask, product, page, timeframe, signal)));
    bars.push(...rows.flat());
  }
  return bars;
}

/** The newest first, as it tells them. */
function pagesOf({ timeframe, from, until }: ProviderBarsRequest): readonly Page[] {
  const length = TIMEFRAME_MS[timeframe];
  const first = Math.ceil(Math.max(0, from) / length) * length;
  const last = Math.floor(until / length) * length;
  if ((last - first) / length >= PAGE * MAX_PAGES)
    throw new ProviderFailure("unsupported", `more than ${PAGE * MAX_PAGES} bars at once`);
  const pages: Page[] = [];
  for (let end = last; end >= first; end -= PAGE * length)
    pages.push({ start: Math.max(first, end - (PAGE - 1) * length), end });
  return pages;
}

async function pageOf(
  ask: ApiGet,
  product: string,
  { start, end }: Page,
  timeframe: Timeframe,
  signal: AbortSignal,
): Promise<readonly ProviderBar[]> {
  const query = {
    granularity: TIMEFRAME_MS[timeframe] / 1000,
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
  };
  const rows = (await ask(`/products/${product}/candles`, Candles, signal, query)).map(barOf);
  // by its documents some bars may precede the start that was asked for, but none follows the end
  const within = rows.filter(({ time }) => time >= start);
  if (within.some(({ time }) => time > end))
    throw new ProviderFailure("malformed", "bars of another time than asked for");
  return within;
}
