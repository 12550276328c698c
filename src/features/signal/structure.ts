import { countWaves } from "../../analytics/elliott/count.ts";
import { analyzeWyckoff } from "../../analytics/wyckoff/analysis.ts";
import type { WyckoffEvent } from "../../analytics/wyckoff/event-match.ts";
import type { Bars } from "../../domain/market/bars.ts";
import { barLabel } from "../../domain/rows.ts";
import type { ElliottBlock, WyckoffBlock, WyckoffEventRow } from "../../domain/signal/structure.ts";

/** Market structure as of the last bar. */
export interface Structure {
  readonly wyckoff: WyckoffBlock;
  readonly elliott: ElliottBlock;
}

/**
 * Detects the structure at the last closed bar. Without a match the phase is Undetermined and the wave count
 * unavailable, with reasons.
 */
export const structureOf = (bars: Bars): Structure => ({
  wyckoff: wyckoffBlock(bars),
  elliott: elliottBlock(bars),
});

/** Returns the tick size of US exchanges; 0 for crypto, whose ticks differ by venue. */
const tickOf = ({ zone }: Bars): number => (zone === "UTC" ? 0 : 0.01);

function elliottBlock(bars: Bars): ElliottBlock {
  const count = countWaves(bars, tickOf(bars));
  if (!count.available)
    return {
      available: false,
      label: null,
      pattern: null,
      direction: null,
      target: null,
      targets: [],
      invalidation: null,
      score: null,
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
    score,
    rivals,
    targets: targets.map(({ ratio, price }) => ({ ratio, price })),
    path: path.map(({ wave, bar, price }) => ({
      wave,
      date: barLabel(bars.time[bar]!, bars.timeframe),
      price,
    })),
    violated: [],
    reason: null,
  };
}

function wyckoffBlock(bars: Bars): WyckoffBlock {
  const { phase, subPhase, narrative, range, events } = analyzeWyckoff(bars);
  const at = (bar: number) => barLabel(bars.time[bar]!, bars.timeframe);
  return {
    phase,
    sub_phase: subPhase,
    narrative,
    range:
      range === null ? null : { low: range.low, high: range.high, from: at(range.first), to: at(range.last) },
    events: events.map((event) => eventRow(event, at)),
  };
}

const eventRow = (event: WyckoffEvent, at: (bar: number) => string): WyckoffEventRow => ({
  type: event.type,
  date: at(event.bar),
  price: event.price,
  confirmed_at: event.confirmedAt === null ? null : at(event.confirmedAt),
  status: event.status,
  spring_type: event.springType,
  tested_at: event.testedAt === null ? null : at(event.testedAt),
});
