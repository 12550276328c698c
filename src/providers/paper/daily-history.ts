import type { Bars } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { BarHistory, CallOptions } from "../../domain/ports.ts";
import type { PaperClose, PaperOrder } from "../../domain/trading/paper-repository-port.ts";
import { countLeading } from "../../lib/count-leading.ts";
import { barCloseMs } from "../../market/calendar/calendar.ts";
import { Big } from "./amount.ts";
import type { Liquidity } from "./liquidity.ts";
import type { Hours } from "./session.ts";
import { detectSplitRatio, type Split } from "./split.ts";

const AVERAGING_DAYS = 20;
const SLOTS_PER_DAY = { us: 78, always: 288 } as const;
const DAY = 86_400_000;
/** Delay after the close before a daily bar is used, ms, so that every provider has it. */
const DAILY_BAR_DELAY_MS = 6 * 3_600_000;
const HOLIDAY_MARGIN_DAYS = 10;

/** Liquidity of a symbol and its usual five-minute volume over its last 20 days. */
export interface DayLiquidity extends Liquidity {
  readonly slotUnits: Big;
}

export interface DailyHistory {
  readonly bars: Bars;
  readonly hours: Hours;
  /**
   * Returns the depth at a time (epoch ms), computed from the last 20 days known by then; its values are unknown if
   * there are none.
   */
  depth(at: number): DayLiquidity;
  /** The newest close, used to detect a later split; null if prices are not split-adjusted. */
  readonly newest: PaperClose | null;
  /** Returns the split since a close was recorded; null if there was none or it cannot be detected. */
  splitSince(close: PaperClose): Split | null;
}

/** Loads the daily bars of an instrument from 20 days before `from` (epoch ms). */
export async function loadDailyHistory(
  bars: BarHistory,
  instrument: Instrument,
  { from, now, ...options }: CallOptions & { readonly from: number; readonly now: number },
): Promise<DailyHistory> {
  const limit = Math.ceil(Math.max(0, now - from) / DAY) + AVERAGING_DAYS + HOLIDAY_MARGIN_DAYS;
  const { bars: days, adjustment } = await bars.history(instrument, { timeframe: "1d", limit, ...options });
  const crypto = instrument.asset_class === "crypto";
  const hours: Hours = crypto || days.zone === "UTC" ? "always" : "us";
  const known = Array.from(days.time, (time) => barCloseMs(time, "1d", days.zone) + DAILY_BAR_DELAY_MS);
  const depths = new Map<number, DayLiquidity>();
  const depthBefore = (count: number): DayLiquidity => {
    const mean = (of: (i: number) => number) => {
      const values: number[] = [];
      for (let i = Math.max(0, count - AVERAGING_DAYS); i < count; i++)
        if (Number.isFinite(of(i)) && of(i) > 0) values.push(of(i));
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    const units = mean((i) => days.volume[i]!);
    return {
      crypto,
      dayDollars: mean((i) => days.volume[i]! * days.close[i]!),
      slotUnits: new Big(units === null ? 0 : (units / SLOTS_PER_DAY[hours]).toFixed(9)),
    };
  };
  const splitAdjusted = adjustment === "split" && !crypto;
  const last = days.time.length - 1;
  return {
    bars: days,
    hours,
    depth(at) {
      const count = countLeading(known.length, (i) => known[i]! <= at);
      const depth = depths.get(count) ?? depthBefore(count);
      depths.set(count, depth);
      return depth;
    },
    newest:
      splitAdjusted && last >= 0 && days.close[last]! > 0
        ? { symbol: instrument.symbol, day: days.time[last]!, close: String(days.close[last]!) }
        : null,
    splitSince(close) {
      const now = days.close[days.time.indexOf(close.day)];
      if (!splitAdjusted || now === undefined) return null;
      const ratio = detectSplitRatio(Number(close.close), now);
      return ratio === null ? null : { ...ratio, close: { ...close, close: String(now) } };
    },
  };
}

/**
 * Returns the start of the daily history that a symbol needs: the time its orders were last matched or its
 * close was recorded.
 */
export const historyStart = (
  now: number,
  close: PaperClose | undefined,
  working: readonly PaperOrder[],
): number => Math.min(now, close?.day ?? now, ...working.map(({ matchedTo }) => Date.parse(matchedTo)));
