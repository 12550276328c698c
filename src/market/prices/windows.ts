import { TIMEFRAME_MS, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { sessionOf } from "../calendar/calendar.ts";
import { tradingDay } from "../calendar/holidays.ts";

const DAY = 86_400_000;

/** Bars per regular session, the short last one included. */
const PER_SESSION = { "1d": 1, "4h": 2, "1h": 7, "30m": 13, "15m": 26, "5m": 78 } as const satisfies Record<
  Timeframe,
  number
>;

/** Start (epoch ms) of a window with at least `limit` bars closed by `at`: calendar sessions, plus one. */
export function windowStart(timeframe: Timeframe, limit: number, at: number, assetClass: AssetClass): number {
  const length = TIMEFRAME_MS[timeframe];
  if (assetClass === "crypto") return (Math.floor(at / length) - limit - 2) * length;
  let sessions = Math.ceil(limit / PER_SESSION[timeframe]) + 1;
  let day = Math.floor(at / DAY) * DAY;
  while (sessions > 0) {
    const kind = tradingDay(day);
    // half days hold about half the bars
    if (kind !== "closed") sessions -= kind === "half" ? 0.5 : 1;
    day -= DAY;
  }
  return day + DAY;
}

/** True during the regular session of stocks and funds; always true for crypto. */
export function isRegularSession(assetClass: AssetClass, at: number): boolean {
  if (assetClass === "crypto") return true;
  const session = sessionOf(new Date(at).toISOString().slice(0, 10));
  return session !== null && at >= session.open && at < session.close;
}
