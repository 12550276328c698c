import type { Levels } from "../../analytics/levels/levels.ts";
import { closeReturn, planEnd, TIME_EXIT, tradeResult } from "../../analytics/track/outcome.ts";
import { type Bars, barLabel } from "../../domain/market/bars.ts";
import type { HistoryOutcome } from "../../domain/signal/signal-history.ts";
import type { Verdict } from "./verdict-task.ts";

/**
 * Returns what happened in the 20 bars after bar `at`: a level that traded is known at once, that it did not trade only
 * after 20 bars. Levels are scaled to the series, whose prices may have been adjusted for a later split.
 */
export function historyOutcome(
  { direction, close }: Pick<Verdict, "direction" | "close">,
  levels: Levels,
  bars: Bars,
  at: number,
): HistoryOutcome {
  const scale = bars.close[at]! / close;
  const plan = { side: levels.side, stop: levels.stop * scale, target: levels.targets[0]! * scale };
  const zone = { low: levels.entry.low * scale, high: levels.entry.high * scale };
  const known = Math.min(TIME_EXIT, bars.close.length - 1 - at);
  const over = known === TIME_EXIT;
  const long = plan.side === "LONG";
  const firstBar = (isThere: (bar: number) => boolean) => {
    for (let bar = at + 1; bar <= at + known; bar++)
      if (isThere(bar)) return { reached: true, at: barLabel(bars.time[bar]!, bars.timeframe) };
    return { reached: over ? false : null, at: null };
  };
  const entry = firstBar((bar) => bars.low[bar]! <= zone.high && bars.high[bar]! >= zone.low);
  const stop = firstBar((bar) => (long ? bars.low[bar]! <= plan.stop : bars.high[bar]! >= plan.stop));
  const target = firstBar((bar) => (long ? bars.high[bar]! >= plan.target : bars.low[bar]! <= plan.target));
  const change = closeReturn(bars.close, { at, horizon: TIME_EXIT });
  const r = direction === "WAIT" ? null : tradeResult(bars, at, plan);
  return {
    bars: known,
    over,
    entry_reached: entry.reached,
    entry_at: entry.at,
    stop_reached: stop.reached,
    stop_at: stop.at,
    target_reached: target.reached,
    target_at: target.at,
    first: planEnd(bars, at, plan),
    change_percent: change === null ? null : 100 * change,
    r,
    right: direction === "WAIT" || change === null ? null : direction === "LONG" ? change > 0 : change < 0,
    reason: reasonOf({ known, over, isWait: direction === "WAIT", isVoid: r === null }),
  };
}

function reasonOf(state: {
  readonly known: number;
  readonly over: boolean;
  readonly isWait: boolean;
  readonly isVoid: boolean;
}): string | null {
  if (!state.over) return `${state.known} of ${TIME_EXIT} bars after it have closed`;
  if (state.isWait) return "WAIT has no trade: its levels are for watching only";
  return state.isVoid ? "The next open was beyond the stop or target, so there was no trade" : null;
}
