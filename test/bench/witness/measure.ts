import { type Bars, barRows } from "../../../src/domain/market/bars.ts";
import type { AssetClass } from "../../../src/domain/market/market.ts";
import { deviationPercent, limitFor, RANGE_DAYS } from "../../../src/market/prices/price-check.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Numbers of recorded days on which a true price needs more than a close. */
export interface DoubtCount {
  /** Days with enough earlier days for an average daily range. */
  readonly days: number;
  /** The close is beyond 4 % and 2.5 average daily ranges from the close before, without the upper bound of 5 %. */
  readonly unlimited: number;
  /** The open is beyond the limit from the close before. */
  readonly firstFar: number;
  /** The close is beyond the limit from the close before: a first price at the end of the day. */
  readonly lastFar: number;
  /** The open is within the limit, but the symbol is volatile. */
  readonly firstVolatile: number;
  /** The high or low is beyond the limit from the open. */
  readonly laterFar: number;
}

/** Counts the days of series on which a true price needs a second provider. */
export function doubtsOf(series: readonly Bars[], assetClass: AssetClass): DoubtCount {
  const count = { days: 0, unlimited: 0, firstFar: 0, lastFar: 0, firstVolatile: 0, laterFar: 0 };
  for (const bars of series) {
    const rows = barRows(byDay(bars));
    for (let i = RANGE_DAYS + 2; i < rows.length; i++) {
      const [before, today] = [rows[i - 1]!, rows[i]!];
      const known = rows.slice(i - RANGE_DAYS - 2, i);
      // the open of US exchanges is at 13:30 or 14:30 UTC
      const at = today.time + (assetClass === "crypto" ? 0 : 14.5 * HOUR);
      const { percent, isVolatile, ranges } = limitFor({ bars: known }, at, assetClass);
      const open = Math.abs(deviationPercent(today.open, before.close));
      const close = Math.abs(deviationPercent(today.close, before.close));
      const later = Math.max(
        Math.abs(deviationPercent(today.high, today.open)),
        Math.abs(deviationPercent(today.low, today.open)),
      );
      count.days++;
      if (close > Math.max(4, ranges)) count.unlimited++;
      if (close > percent) count.lastFar++;
      if (open > percent) count.firstFar++;
      else if (isVolatile) count.firstVolatile++;
      if (later > percent) count.laterFar++;
    }
  }
  return count;
}

/** Returns intraday bars as days of UTC; daily bars unchanged. */
function byDay(bars: Bars): Bars {
  const days = new Map<number, { open: number; high: number; low: number; close: number; volume: number }>();
  for (const { time, open, high, low, close, volume } of barRows(bars)) {
    const day = Math.floor(time / DAY) * DAY;
    const sum = days.get(day);
    days.set(
      day,
      sum === undefined
        ? { open, high, low, close, volume }
        : {
            ...sum,
            high: Math.max(sum.high, high),
            low: Math.min(sum.low, low),
            close,
            volume: sum.volume + volume,
          },
    );
  }
  const rows = [...days.values()];
  const column = (name: "open" | "high" | "low" | "close" | "volume") =>
    Float64Array.from(rows, (row) => row[name]);
  return {
    ...bars,
    time: Float64Array.from(days.keys()),
    open: column("open"),
    high: column("high"),
    low: column("low"),
    close: column("close"),
    volume: column("volume"),
  };
}
