import type { Bars } from "../../domain/market/bars.ts";

const DAY = 86_400_000;
/** No New York session, early and late trading included, crosses midnight five hours behind UTC. */
const NEW_YORK_NIGHT = 5 * 3_600_000;
const DAYS = 20;

/**
 * Average daily notional known at the close of a bar: close x volume a day over the last 20 days complete by then,
 * or those there are. Of intraday bars the first day, which may be cut, and the bar's own do not count.
 * NaN before the first day and where nothing traded.
 */
export function averageDayNotional(bars: Bars): (bar: number) => number {
  const { totals, complete, first } = bars.timeframe === "1d" ? daily(bars) : intraday(bars);
  return (bar) => {
    const end = complete(bar);
    const start = Math.max(first, end - DAYS);
    let sum = 0;
    for (let day = start; day < end; day++) sum += totals[day]!;
    return sum > 0 ? sum / (end - start) : Number.NaN;
  };
}

interface Days {
  readonly totals: ArrayLike<number>;
  /** Days complete at the close of a bar. */
  readonly complete: (bar: number) => number;
  /** The first day that counts. */
  readonly first: number;
}

function daily({ close, volume }: Bars): Days {
  const totals = new Float64Array(close.length);
  for (let bar = 0; bar < totals.length; bar++) totals[bar] = close[bar]! * volume[bar]!;
  return { totals, complete: (bar) => bar + 1, first: 0 };
}

function intraday({ time, close, volume, zone }: Bars): Days {
  const night = zone === "UTC" ? 0 : NEW_YORK_NIGHT;
  const totals: number[] = [];
  const dayOf = new Int32Array(time.length);
  for (let bar = 0, date = Number.NaN; bar < time.length; bar++) {
    const own = Math.floor((time[bar]! - night) / DAY);
    if (own !== date) totals.push(0);
    date = own;
    dayOf[bar] = totals.length - 1;
    totals[totals.length - 1]! += close[bar]! * volume[bar]!;
  }
  return { totals, complete: (bar) => dayOf[bar] ?? 0, first: 1 };
}
