import { atr } from "../../../src/analytics/indicators/atr.ts";
import type { Side } from "../../../src/analytics/levels/side.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";

/** Distances of the plans in multiples of ATR14, and the bars after which they end at the close. */
export const ATR_PLAN = { stop: 1.5, target: 4.25, bars: 20 } as const;
export const SIDES = ["LONG", "SHORT"] as const satisfies readonly Side[];

export interface AtrPlan {
  readonly side: Side;
  readonly stop: number;
  readonly target: number;
}

export interface PlanOutcome {
  readonly end: "stop" | "target" | "neither";
  /** Result in multiples of the distance of the stop. */
  readonly r: number;
}

/** Returns the plan from the close of a bar; null without an ATR or if a price would not be above 0. */
export function atrPlan(close: number, range: number, side: Side): AtrPlan | null {
  const away = side === "LONG" ? 1 : -1;
  const stop = close - away * ATR_PLAN.stop * range;
  const target = close + away * ATR_PLAN.target * range;
  return range > 0 && stop > 0 && target > 0 ? { side, stop, target } : null;
}

/**
 * Returns what became of a plan from the close of bar `from`. An open beyond stop or target fills there; in a bar that
 * reaches both, the stop comes first. The bars must reach to `from + count`.
 */
export function planOutcome(
  bars: Bars,
  from: number,
  { side, stop, target }: AtrPlan,
  count: number,
): PlanOutcome {
  const entry = bars.close[from]!;
  const away = side === "LONG" ? 1 : -1;
  const result = (end: PlanOutcome["end"], exit: number): PlanOutcome => ({
    end,
    r: (exit - entry) / (entry - stop),
  });
  for (let bar = from + 1; bar <= from + count; bar++) {
    const open = bars.open[bar]!;
    const [worst, best] =
      side === "LONG" ? [bars.low[bar]!, bars.high[bar]!] : [bars.high[bar]!, bars.low[bar]!];
    if (away * (open - stop) <= 0) return result("stop", open);
    if (away * (open - target) >= 0) return result("target", open);
    if (away * (worst - stop) <= 0) return result("stop", stop);
    if (away * (best - target) >= 0) return result("target", target);
  }
  return result("neither", bars.close[from + count]!);
}

/** A plan from the close of a bar, its outcome, and the share of earlier plans that reached the target. */
export interface OpenPlan extends AtrPlan {
  readonly close: number;
  readonly outcome: PlanOutcome;
  /** Of the plans of the same side whose outcome is known at the bar, one from each bar. */
  readonly base: number;
}

/** Plans of one side at every bar of a file. */
export interface PlanRecord {
  /** Returns the plan of a bar; null without one, without an outcome yet, or without any earlier outcome. */
  openAt(bar: number): OpenPlan | null;
}

export function planRecord(bars: Bars, side: Side): PlanRecord {
  const ranges = atr(bars.high, bars.low, bars.close, 14);
  const plans = Array.from(bars.close, (close, bar) => atrPlan(close, ranges[bar]!, side));
  const outcomes = plans.map((plan, bar) =>
    plan === null || bar + ATR_PLAN.bars >= plans.length ? null : planOutcome(bars, bar, plan, ATR_PLAN.bars),
  );
  // plans and reached targets up to each bar
  const counts = new Int32Array(plans.length);
  const targets = new Int32Array(plans.length);
  for (const [bar, outcome] of outcomes.entries()) {
    counts[bar] = (counts[bar - 1] ?? 0) + (outcome === null ? 0 : 1);
    targets[bar] = (targets[bar - 1] ?? 0) + (outcome?.end === "target" ? 1 : 0);
  }
  return {
    openAt(bar) {
      const [plan, outcome] = [plans[bar] ?? null, outcomes[bar] ?? null];
      const known = bar - ATR_PLAN.bars;
      const count = counts[known] ?? 0;
      if (plan === null || outcome === null || count === 0) return null;
      return { ...plan, close: bars.close[bar]!, outcome, base: targets[known]! / count };
    },
  };
}
