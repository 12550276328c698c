import type { Bars } from "../../domain/market/bars.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { barCloseMs, sessionOn } from "../../market/calendar/calendar.ts";
import { Big } from "./amount.ts";
import type { Step } from "./match-order.ts";

const DAY = 86_400_000;
const MAX_MARKET_CLOSURE_DAYS = 10;

/** Trading hours of a symbol: regular sessions of US exchanges, or always. */
export type Hours = "us" | "always";

/**
 * Returns the expiry of a day order, epoch ms: the end of the current or next session, or 00:00 UTC for a symbol that
 * always trades.
 */
export function dayOrderExpiry(at: number, hours: Hours): number {
  if (hours === "always") return Math.floor(at / DAY) * DAY + DAY;
  const today = newYorkDay(at);
  for (let day = today; day < today + MAX_MARKET_CLOSURE_DAYS * DAY; day += DAY) {
    const close = sessionOn(day)?.close;
    if (close !== undefined && close > at) return close;
  }
  throw new RangeError("no session within ten days");
}

/** Converts closed bars to steps, ascending. Bars outside regular sessions and bars with invalid prices are dropped. */
export function barsToSteps(bars: Bars, hours: Hours): readonly Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < bars.time.length; i++) {
    const [time, volume] = [bars.time[i]!, bars.volume[i]!];
    const prices = [bars.open[i]!, bars.high[i]!, bars.low[i]!] as const;
    const session = hours === "always" ? null : sessionOn(newYorkDate(time, bars.timeframe === "1d"));
    const daily = bars.timeframe === "1d" && session !== null;
    const at = daily ? session.open : time;
    if (hours === "us" && (session === null || at < session.open || at >= session.close)) continue;
    if (!prices.every((price) => Number.isFinite(price) && price > 0)) continue;
    const [open, high, low] = prices.map((price) => new Big(price)) as [Big, Big, Big];
    const until = daily ? session.close : barCloseMs(time, bars.timeframe, bars.zone);
    const traded = new Big(Number.isFinite(volume) && volume > 0 ? volume : 0);
    steps.push({ at, until, open, high, low, volume: traded, bounded: true });
  }
  return steps;
}

const newYorkDate = (time: number, daily: boolean): number => (daily ? time : newYorkDay(time));
