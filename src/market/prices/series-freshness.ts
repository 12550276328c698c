import type { BarTimeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { BarLayout } from "../../domain/market/trading-hours.ts";
import { barCloseMs, marketStateAt } from "../calendar/calendar.ts";
import type { CachedSeries } from "./cached-series.ts";
import { zoneFor } from "./sanitize-bars.ts";
import { isRegularSession } from "./windows.ts";

const MINUTE = 60_000;
/** Time for which cached bars are returned without a request, while the market is open and while it is closed, ms. */
const CACHE_TTL_MS = { open: MINUTE, closed: 15 * MINUTE } as const;
/** Minimum time between two requests for a series, even if a bar has just closed, ms. */
const MIN_CACHE_MS = 5_000;

/** Returns true if cached bars may be returned without a request: no bar has closed since, and they are recent. */
export function isSeriesFresh(
  metadata: CachedSeries["metadata"],
  {
    timeframe,
    assetClass,
    layout,
  }: { readonly timeframe: BarTimeframe; readonly assetClass: AssetClass; readonly layout: BarLayout },
  now: number,
): boolean {
  const isOpen = (at: number) =>
    layout === "regular" ? isRegularSession(assetClass, at) : marketStateAt(at, assetClass) !== "closed";
  const open = isOpen(now);
  if (open !== isOpen(metadata.fetchedAt)) return false;
  const { forming, fetchedAt, at } = metadata;
  const age = now - fetchedAt;
  if (age < 0) return false; // the clock was set back
  // a delayed provider gets the end of the forming bar later
  const seen =
    forming === null
      ? null
      : barCloseMs(forming.time, timeframe, zoneFor(assetClass), layout) + Math.max(0, fetchedAt - at);
  if (seen !== null && seen <= now && age >= MIN_CACHE_MS) return false;
  return age < (open ? CACHE_TTL_MS.open : CACHE_TTL_MS.closed);
}
