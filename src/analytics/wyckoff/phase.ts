import type { WyckoffPhase } from "../../domain/structure.ts";
import { type Context, contextOf, type Range, tradingRange } from "./range.ts";
import type { WyckoffEvent } from "./sighting.ts";
import { SUPPORT } from "./strength.ts";
import type { View } from "./view.ts";

/** Where price stands to the range. */
export type Place = "inside" | "above" | "below";

/** What the rules say at the last bar, and what they say it on. */
export interface PhaseFinding {
  readonly phase: WyckoffPhase;
  readonly subPhase: "A" | "B" | "C" | "D" | "E" | null;
  readonly range: Range | null;
  readonly context: Context;
  readonly place: Place | null;
  /** Those of the range, oldest first. */
  readonly events: readonly WyckoffEvent[];
  /** The event that decides between the two sides; null where none does. */
  readonly evidence: WyckoffEvent | null;
  readonly reason: string | null;
}

const LIFE = 40; // bars for which an event is evidence
const RISING = ["SPRING", "SOS", "LPS"];
const DECISIVE = [...RISING, "UTAD", "SOW", "LPSY"];
const CLIMAXES = ["SC", "BC"];

/**
 * The phase at the last bar of the buying side's view. The range is the newest one that held; where it no longer does
 * and a climax came after it, that climax and its rally or reaction are the range for 40 bars. An event belongs to a
 * range that its own range overlaps; evidence is the newest confirmed, not void Spring, SOS, LPS, UTAD, SOW or
 * LPSY of the last 40 bars.
 * Inside: a rising event makes it Accumulation after a decline and Reaccumulation after an advance, a falling one
 * Redistribution and Distribution; without one it is Accumulation after a decline and Distribution after an advance,
 * with the context of the range's newest such event or climax where its own is none. C after a Spring or UTAD, D after the
 * others, else A from a climax to its secondary test and B. A close beyond the range is Markup or Markdown in E,
 * but still D while the 20 bars for a last point are open, and after it until a close beyond the move's extreme.
 * Undetermined where no range ever held, where a range without context has no event, and where price left the
 * range and came back.
 */
export function phaseAt(view: View, events: readonly WyckoffEvent[]): PhaseFinding {
  const last = view.length - 1;
  let end = last;
  let range = tradingRange(view, end);
  while (range === null && end > 0) range = tradingRange(view, --end);
  if (end < last || range === null) {
    const climax = newest(events, (event) => isFresh(event, last) && CLIMAXES.includes(event.type));
    if (
      climax !== null &&
      (range === null || climax.bar > range.first) &&
      within(view, climax.range, climax.confirmedAt!)
    )
      return judge(view, climax.range, climax.context, events);
  }
  if (range === null) return undetermined(null, "none", null, [], "No trading range in the bars given");
  const own = contextOf(view, range.first, range.high - range.low);
  return judge(view, range, own, events);
}

function judge(view: View, range: Range, own: Context, all: readonly WyckoffEvent[]): PhaseFinding {
  const last = view.length - 1;
  const close = view.close[last]!;
  const place = close > range.high ? "above" : close < range.low ? "below" : "inside";
  const events = all.filter((event) => event.range.last >= range.first);
  const context = own === "none" ? (newest(events, tellsContext)?.context ?? "none") : own;
  const evidence = newest(events, (event) => isFresh(event, last) && DECISIVE.includes(event.type));
  const found = { range, context, place, events, evidence, reason: null } as const;
  const leaving = evidence !== null && !SPRINGS.includes(evidence.type) && isOpen(view, evidence, events);
  if (place === "above" && !(leaving && isRising(evidence)))
    return { ...found, phase: "Markup", subPhase: "E" };
  if (place === "below" && !(leaving && !isRising(evidence)))
    return { ...found, phase: "Markdown", subPhase: "E" };
  if (place === "inside" && evidence === null && !within(view, range, range.last))
    return undetermined(
      range,
      context,
      place,
      events,
      "Price left the last trading range and came back into it",
    );
  if (evidence !== null)
    return {
      ...found,
      phase: phaseOf(evidence.context, isRising(evidence)),
      subPhase: SPRINGS.includes(evidence.type) ? "C" : "D",
    };
  if (context === "none")
    return undetermined(
      range,
      context,
      place,
      events,
      "The range came after neither a decline nor an advance and holds no event that tells the sides apart",
    );
  const stopping = newest(
    events,
    (event) => isFresh(event, last) && [...CLIMAXES, "ST", "UT"].includes(event.type),
  );
  const early = stopping !== null && CLIMAXES.includes(stopping.type);
  return { ...found, phase: phaseOf(context, context === "after_decline"), subPhase: early ? "A" : "B" };
}

const SPRINGS = ["SPRING", "UTAD"];

const isConfirmed = ({ status }: WyckoffEvent): boolean => status === "confirmed";

const tellsContext = (event: WyckoffEvent): boolean =>
  isConfirmed(event) && (DECISIVE.includes(event.type) || CLIMAXES.includes(event.type));

const isFresh = (event: WyckoffEvent, last: number): boolean =>
  isConfirmed(event) && last - event.confirmedAt! < LIFE;

const isRising = (event: WyckoffEvent | null): boolean => event !== null && RISING.includes(event.type);

/** The event known last, and of those known together the one that happened last. */
function newest(
  events: readonly WyckoffEvent[],
  admits: (event: WyckoffEvent) => boolean,
): WyckoffEvent | null {
  let best: WyckoffEvent | null = null;
  for (const event of events)
    if (admits(event) && (best === null || event.confirmedAt! >= best.confirmedAt!)) best = event;
  return best;
}

/** Whether every close from a bar on lies within a range. */
function within(view: View, { low, high }: Range, from: number): boolean {
  for (let bar = from; bar < view.length; bar++)
    if (!(view.close[bar]! >= low && view.close[bar]! <= high)) return false;
  return true;
}

/** Whether a sign's move is still to prove itself: no last point yet, or no close beyond the move since it. */
function isOpen(view: View, evidence: WyckoffEvent, events: readonly WyckoffEvent[]): boolean {
  const last = view.length - 1;
  const isLastPoint = evidence.type === "LPS" || evidence.type === "LPSY";
  if (!isLastPoint) return last - evidence.bar <= SUPPORT;
  const rising = isRising(evidence);
  const name = rising ? "SOS" : "SOW";
  const sign = newest(events, ({ type, bar }) => type === name && bar < evidence.bar);
  if (sign === null) return false;
  let extreme = view.close[sign.bar]!;
  for (let bar = sign.bar; bar <= evidence.confirmedAt!; bar++)
    extreme = rising ? Math.max(extreme, view.high[bar]!) : Math.min(extreme, view.low[bar]!);
  for (let bar = evidence.confirmedAt! + 1; bar <= last; bar++)
    if (rising ? view.close[bar]! > extreme : view.close[bar]! < extreme) return false;
  return true;
}

function phaseOf(context: Context, rising: boolean): WyckoffPhase {
  if (context === "after_decline") return rising ? "Accumulation" : "Redistribution";
  return rising ? "Reaccumulation" : "Distribution";
}

const undetermined = (
  range: Range | null,
  context: Context,
  place: Place | null,
  events: readonly WyckoffEvent[],
  reason: string,
): PhaseFinding => ({
  phase: "Undetermined",
  subPhase: null,
  range,
  context,
  place,
  events,
  evidence: null,
  reason,
});
