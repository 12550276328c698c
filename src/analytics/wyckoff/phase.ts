import type { WyckoffPhase } from "../../domain/signal/structure.ts";
import type { WyckoffEvent } from "./event-match.ts";
import { type Context, contextOf, type Range, tradingRange } from "./range.ts";
import { SUPPORT } from "./strength.ts";
import type { View } from "./view.ts";

/** Position of the price relative to the range. */
type Place = "inside" | "above" | "below";

export interface PhaseFinding {
  readonly phase: WyckoffPhase;
  readonly subPhase: "A" | "B" | "C" | "D" | "E" | null;
  readonly range: Range | null;
  readonly context: Context;
  readonly place: Place | null;
  /** Events of the range, oldest first. */
  readonly events: readonly WyckoffEvent[];
  /** The event that decides between buying and selling side; null without one. */
  readonly evidence: WyckoffEvent | null;
  readonly reason: string | null;
}

const LIFE = 40; // bars for which an event counts as evidence
const RISING = ["SPRING", "SOS", "LPS"];
const DECISIVE = [...RISING, "UTAD", "SOW", "LPSY"];
const SPRINGS = ["SPRING", "UTAD"];
const CLIMAXES = ["SC", "BC"];

/**
 * Returns the phase at the last bar of the buying side's view. With evidence: the newest confirmed and not void Spring,
 * SOS, LPS, UTAD, SOW or LPSY of the last 40 bars whose range overlaps the newest trading range decides, and its own
 * range counts. Rising evidence gives Accumulation after a decline and Reaccumulation after an advance; falling
 * evidence gives Redistribution and Distribution. The sub-phase is C after a Spring or UTAD, else D. A close beyond the
 * range makes it Markup or Markdown in E: after a sign only once the 20 bars for its last point are over, after a last
 * point only once a close is beyond the extreme of the move. Without evidence: the newest range decides, or a newer
 * climax of the last 40 bars with its rally or reaction, if price is still within it. The phase is Accumulation after a
 * decline and Distribution after an advance; a range without a trend before it takes the context of its newest event.
 * The sub-phase is A from a climax to its secondary test, else B. A close beyond the range is Markup or Markdown in E,
 * unless a Spring or UTAD is pending. Undetermined without any range, without a context, and if price left the range
 * and came back.
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
      return classifyPhase(view, climax.range, climax.context, events);
  }
  if (range === null) return undetermined(NOTHING, "No trading range in the bars given");
  const own = contextOf(view, range.first, range.high - range.low);
  return classifyPhase(view, range, own, events);
}

function classifyPhase(
  view: View,
  newestRange: Range,
  own: Context,
  all: readonly WyckoffEvent[],
): PhaseFinding {
  const last = view.length - 1;
  const events = all.filter((event) => event.range.last >= newestRange.first);
  const evidence = newest(events, (event) => isFresh(event, last) && DECISIVE.includes(event.type));
  if (evidence !== null) return byEvidence(view, events, evidence);
  const range = newestRange;
  const context = own === "none" ? (newest(events, definesContext)?.context ?? "none") : own;
  const place = placeOf(view, range);
  const found = { range, context, place, events, evidence, reason: null } as const;
  const undecided = events.some(({ type, status }) => status === "pending" && SPRINGS.includes(type));
  if (place !== "inside" && !undecided) return { ...found, phase: LEFT[place], subPhase: "E" };
  if (place === "inside" && !within(view, range, range.last)) return undetermined(found, CAME_BACK);
  if (context === "none") return undetermined(found, NO_CONTEXT);
  const stopping = newest(events, (event) => isFresh(event, last) && STOPPING.includes(event.type));
  const early = stopping !== null && CLIMAXES.includes(stopping.type);
  return { ...found, phase: phaseOf(context, context === "after_decline"), subPhase: early ? "A" : "B" };
}

function byEvidence(view: View, events: readonly WyckoffEvent[], evidence: WyckoffEvent): PhaseFinding {
  const { range, context, type } = evidence;
  const place = placeOf(view, range);
  const found = { range, context, place, events, evidence, reason: null } as const;
  const rising = RISING.includes(type);
  const spring = SPRINGS.includes(type);
  const left = place === (rising ? "above" : "below") && (spring || !isOpen(view, evidence, events));
  if (left) return { ...found, phase: rising ? "Markup" : "Markdown", subPhase: "E" };
  return { ...found, phase: phaseOf(context, rising), subPhase: spring ? "C" : "D" };
}

const LEFT = { above: "Markup", below: "Markdown" } as const;
const NO_CONTEXT =
  "The range came after neither a decline nor an advance and holds no event that separates buyers from sellers";
const CAME_BACK = "Price left the last trading range and came back into it";
const STOPPING = [...CLIMAXES, "ST", "UT"];

function placeOf({ close, length }: View, { low, high }: Range): Place {
  const last = close[length - 1]!;
  return last > high ? "above" : last < low ? "below" : "inside";
}

const isConfirmed = ({ status }: WyckoffEvent): boolean => status === "confirmed";

const definesContext = (event: WyckoffEvent): boolean =>
  isConfirmed(event) && (DECISIVE.includes(event.type) || CLIMAXES.includes(event.type));

const isFresh = (event: WyckoffEvent, last: number): boolean =>
  isConfirmed(event) && last - event.confirmedAt! < LIFE;

/** Returns the event confirmed last, and of several confirmed at the same bar the one that happened last. */
function newest(
  events: readonly WyckoffEvent[],
  admits: (event: WyckoffEvent) => boolean,
): WyckoffEvent | null {
  let best: WyckoffEvent | null = null;
  for (const event of events)
    if (admits(event) && (best === null || event.confirmedAt! >= best.confirmedAt!)) best = event;
  return best;
}

/** Returns true if every close from bar `from` on lies within the range. */
function within(view: View, { low, high }: Range, from: number): boolean {
  for (let bar = from; bar < view.length; bar++)
    if (!(view.close[bar]! >= low && view.close[bar]! <= high)) return false;
  return true;
}

/**
 * Returns true while the move of the evidence is unproven: the window for a last point is still open, or no close since
 * the last point is beyond the extreme of the move.
 */
function isOpen(view: View, evidence: WyckoffEvent, events: readonly WyckoffEvent[]): boolean {
  const last = view.length - 1;
  const isLastPoint = evidence.type === "LPS" || evidence.type === "LPSY";
  if (!isLastPoint) return last - evidence.bar <= SUPPORT;
  const rising = RISING.includes(evidence.type);
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
  found: Omit<PhaseFinding, "phase" | "subPhase" | "reason">,
  reason: string,
): PhaseFinding => ({ ...found, phase: "Undetermined", subPhase: null, reason });

const NOTHING = { range: null, context: "none", place: null, events: [], evidence: null } as const;
