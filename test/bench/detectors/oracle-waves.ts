import type { Bars } from "../../../src/domain/market/bars.ts";
import { averageRange } from "./oracle-wyckoff.ts";

/** The turn of a swing and the bar at which it was confirmed. */
export interface Turn {
  readonly bar: number;
  readonly price: number;
  readonly high: boolean;
  readonly confirmedAt: number;
}

/** Swings that turn when price retraces 3 ATR14 from the running extreme; the last, open one is omitted. */
export function turnsOf(bars: Bars): readonly Turn[] {
  const { high, low } = bars;
  const atr = averageRange(bars);
  const turns: Turn[] = [];
  let [top, bottom] = [0, 0];
  let heading: "up" | "down" | null = null;
  for (let t = 1; t < high.length; t++) {
    const back = 3 * atr[t]!;
    const fell: boolean = heading !== "down" && high[top]! - low[t]! >= back;
    const rose: boolean = heading !== "up" && high[t]! - low[bottom]! >= back;
    if (fell !== rose) {
      const bar = fell ? top : bottom;
      turns.push({ bar, price: fell ? high[bar]! : low[bar]!, high: fell, confirmedAt: t });
      heading = fell ? "down" : "up";
      [top, bottom] = [t, t];
      for (let i = t - 1; i > bar; i--) {
        if (high[i]! >= high[top]!) top = i;
        if (low[i]! <= low[bottom]!) bottom = i;
      }
    } else {
      if (high[t]! > high[top]!) top = t;
      if (low[t]! < low[bottom]!) bottom = t;
    }
  }
  return turns;
}

/** The hard rules on price lengths; touching breaks them. */
export type RuleId = "R1_W2_LT_100" | "R2_W3_NOT_SHORTEST" | "R3_W4_NO_OVERLAP" | "R4_W3_BEYOND_W1";

/** Which of the four rules six turning prices break; `margin`: price distance by which each rule must hold. */
export function brokenRules(prices: readonly number[], margin = 0): RuleId[] {
  const sign = prices[1]! > prices[0]! ? 1 : -1;
  const [p0, p1, p2, p3, p4, p5] = prices.map((price) => sign * price) as Six;
  const [one, three, five] = [p1 - p0, p3 - p2, p5 - p4];
  const beyond = (gap: number) => (margin > 0 ? gap >= margin : gap > 0);
  const longEnough = margin > 0 ? three >= Math.min(one, five) + margin : three >= Math.min(one, five);
  return (
    [
      ["R1_W2_LT_100", beyond(p2 - p0)],
      ["R2_W3_NOT_SHORTEST", longEnough],
      ["R3_W4_NO_OVERLAP", beyond(p4 - p1)],
      ["R4_W3_BEYOND_W1", beyond(p3 - p1)],
    ] as const
  ).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

type Six = [number, number, number, number, number, number];

/**
 * The planted turns as they appear in the finished bars: consecutive swings, each within 2 bars; null if they do not.
 */
export function shownTurns(turns: readonly Turn[], planted: readonly number[]): readonly Turn[] | null {
  const start = turns.findIndex(({ bar }) => Math.abs(bar - planted[0]!) <= 2);
  if (start < 0) return null;
  const shown = turns.slice(start, start + planted.length);
  const all =
    shown.length === planted.length && shown.every(({ bar }, i) => Math.abs(bar - planted[i]!) <= 2);
  return all ? shown : null;
}
