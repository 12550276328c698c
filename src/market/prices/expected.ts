import { TIMEFRAME_MS, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { barCloseMs, sessionOf } from "../calendar/calendar.ts";
import { zoneFor } from "./sanitize-bars.ts";

const DAY = 86_400_000;

/** Starts (epoch ms, ascending) of the bars expected by the calendar that start at `from` or later and close by `until`. */
export function startsOf(
  timeframe: Timeframe,
  { from, until }: { readonly from: number; readonly until: number },
  assetClass: AssetClass,
): readonly number[] {
  const starts: number[] = [];
  for (let day = Math.floor(from / DAY) * DAY - DAY; day <= until; day += DAY) {
    const hours =
      assetClass === "crypto"
        ? { open: day, close: day + DAY }
        : sessionOf(new Date(day).toISOString().slice(0, 10));
    if (hours === null) continue;
    if (timeframe === "1d") starts.push(day);
    else for (let time = hours.open; time < hours.close; time += TIMEFRAME_MS[timeframe]) starts.push(time);
  }
  return starts.filter((time) => time >= from && barCloseMs(time, timeframe, zoneFor(assetClass)) <= until);
}
