import type { Bars } from "../../domain/market/bars.ts";
import type { WyckoffPhase } from "../../domain/signal/structure.ts";
import { eachSpan } from "../span.ts";
import type { WyckoffEvent } from "./event-match.ts";
import { spanEvents, withBarOffset } from "./events.ts";
import { narrate } from "./narrative.ts";
import { phaseAt } from "./phase.ts";
import type { Range } from "./range.ts";
import { type View, viewsOf } from "./view.ts";

/** Market structure at the last bar; bar indices of `range` and `events` refer to the input series. */
export interface WyckoffAnalysis {
  readonly phase: WyckoffPhase;
  readonly subPhase: "A" | "B" | "C" | "D" | "E" | null;
  /** Evidence as text with dates and prices; without evidence, the reason. */
  readonly narrative: string;
  readonly range: Range | null;
  /** Events of the newest range, oldest first. */
  readonly events: readonly WyckoffEvent[];
  /** Why the phase is Undetermined; null for any other phase. */
  readonly reason: string | null;
}

const MIN_BARS = 35; // warm-up of ATR14 plus the shortest range

/**
 * Returns the Wyckoff analysis of closed bars at the last bar. Undetermined with a reason if the rules of no phase
 * hold; never throws.
 * @see Richard D. Wyckoff, "The Richard D. Wyckoff Method of Trading and Investing in Stocks" (1931)
 */
export function analyzeWyckoff(bars: Bars): WyckoffAnalysis {
  if (bars.time.length === 0) return undeterminedAnalysis("There are no bars");
  const { bars: span, start } = eachSpan(bars).at(-1)!;
  const views = viewsOf(span);
  const missing = unavailableReason(views[0], start > 0);
  if (missing !== null) return undeterminedAnalysis(missing);
  const finding = phaseAt(views[0], spanEvents(views));
  const { phase, subPhase, range, reason } = finding;
  return {
    phase,
    subPhase,
    narrative: narrate(span, finding),
    range: range === null ? null : { ...range, first: range.first + start, last: range.last + start },
    events: start === 0 ? finding.events : finding.events.map((event) => withBarOffset(event, start)),
    reason,
  };
}

function unavailableReason({ length, atr, meanVolume }: View, afterGap: boolean): string | null {
  const since = afterGap ? " since the last gap in the series" : "";
  if (length < MIN_BARS) return `Needs ${MIN_BARS} bars${since}, has ${length}`;
  const a = atr[length - 1]!;
  if (!Number.isFinite(a)) return "A price of the series is not a number";
  if (a === 0) return "Prices do not move: the average true range is 0";
  const volume = meanVolume[length - 1]!;
  if (Number.isNaN(volume)) return "The volume of a recent bar is not a number";
  if (volume === 0)
    return "There is no volume, which is needed to distinguish a Spring or a climax from a dip";
  return null;
}

const undeterminedAnalysis = (reason: string): WyckoffAnalysis => ({
  phase: "Undetermined",
  subPhase: null,
  narrative: `Undetermined: ${reason}.`,
  range: null,
  events: [],
  reason,
});
