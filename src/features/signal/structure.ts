import { last } from "../../analytics/drivers/window.ts";
import { countWaves } from "../../analytics/elliott/count.ts";
import { weinsteinStage } from "../../analytics/indicators/weinstein-stage.ts";
import { analyzeWyckoff } from "../../analytics/wyckoff/analysis.ts";
import type { Bars } from "../../domain/market/bars.ts";
import { barLabel } from "../../domain/market/bars.ts";
import { type ElliottBlock, eventName, type WyckoffBlock } from "../../domain/signal/structure.ts";

/** Market structure as of the last bar. */
export interface Structure {
  readonly wyckoff: WyckoffBlock;
  readonly elliott: ElliottBlock;
}

/**
 * Detects the structure at the last closed bar. Without a match the phase is Undetermined and the wave count
 * unavailable, with reasons.
 */
export function structureOf(bars: Bars): Structure {
  const dateOf = (bar: number) => barLabel(bars.time[bar]!, bars.timeframe);
  return { wyckoff: wyckoffBlock(bars, dateOf), elliott: elliottBlock(bars, dateOf) };
}

/** Returns a block for concise answers: events without their names, and without the fields of springs and tests where null. */
export const conciseWyckoff = ({ events, ...block }: WyckoffBlock): WyckoffBlock => ({
  ...block,
  events: events.map(({ name: _, spring_type, tested_at, ...event }) => ({
    ...event,
    ...(spring_type != null && { spring_type }),
    ...(tested_at != null && { tested_at }),
  })),
});

/** Returns the Weinstein stage at the last bar; null until stage 2 or 4 first occurs. */
export function stageOf(bars: Bars): number | null {
  const stage = last(weinsteinStage(bars));
  return Number.isNaN(stage) ? null : stage;
}

type DateOf = (bar: number) => string;

function elliottBlock(bars: Bars, dateOf: DateOf): ElliottBlock {
  // the tick size of US exchanges; that of crypto differs by venue
  const count = countWaves(bars, bars.zone === "UTC" ? 0 : 0.01);
  if (!count.available)
    return {
      available: false,
      label: null,
      pattern: null,
      direction: null,
      target: null,
      targets: [],
      invalidation: null,
      guidelines_met: null,
      rivals: count.rivals,
      path: [],
      violated: [...count.violated],
      reason: count.reason,
    };
  const { label, pattern, direction, target, targets, invalidation, score, rivals, path } = count;
  return {
    available: true,
    label,
    pattern,
    direction,
    target,
    invalidation,
    guidelines_met: score,
    rivals,
    targets: targets.map(({ ratio, price }) => ({ ratio, price })),
    path: path.map(({ wave, bar, price }) => ({ wave, date: dateOf(bar), price })),
    violated: [],
    reason: null,
  };
}

function wyckoffBlock(bars: Bars, dateOf: DateOf): WyckoffBlock {
  const { phase, subPhase, narrative, range, events } = analyzeWyckoff(bars);
  return {
    phase,
    sub_phase: subPhase,
    narrative,
    range: range && { low: range.low, high: range.high, from: dateOf(range.first), to: dateOf(range.last) },
    events: events.map(({ type, side, bar, price, confirmedAt, status, springType, testedAt }) => ({
      type,
      name: eventName(type, side),
      side,
      date: dateOf(bar),
      price,
      confirmed_at: confirmedAt === null ? null : dateOf(confirmedAt),
      status,
      spring_type: springType,
      tested_at: testedAt === null ? null : dateOf(testedAt),
    })),
  };
}
