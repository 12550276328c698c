import type { Bars } from "../../domain/market/bars.ts";
import type { WyckoffEventType } from "../../domain/signal/structure.ts";
import { formatPrice } from "../../lib/format-price.ts";
import type { WyckoffEvent } from "./event-match.ts";
import type { PhaseFinding } from "./phase.ts";

const CONTEXT_TEXT = {
  after_decline: " and came after a decline",
  after_advance: " and came after an advance",
  none: "",
} as const;

const NAMES: Readonly<Record<WyckoffEventType, string>> = {
  PS: "Preliminary support",
  SC: "A selling climax",
  AR: "The automatic rally or reaction",
  ST: "A secondary test",
  SPRING: "A Spring",
  SOS: "A sign of strength",
  LPS: "A last point of support",
  BU: "A back-up to the broken high",
  PSY: "Preliminary supply",
  BC: "A buying climax",
  UT: "An upthrust",
  UTAD: "A UTAD",
  SOW: "A sign of weakness",
  LPSY: "A last point of supply",
};

const MAX_EVENTS = 5; // maximum number of events in the narrative

/** Describes the evidence in sentences with dates and prices of closed bars; no forecasts. */
export function narrate(bars: Bars, finding: PhaseFinding): string {
  const { phase, subPhase, range, context, place, events, evidence, reason } = finding;
  const last = bars.time.length - 1;
  const head = subPhase === null ? `${phase}: ${reason}.` : `${phase}, phase ${subPhase}.`;
  if (range === null || place === null) return head;
  const count = range.last - range.first + 1;
  const where = place === "inside" ? "inside the range" : `${place} the range`;
  return [
    head,
    `The trading range ${formatPrice(range.low)} to ${formatPrice(range.high)} ran from ${day(bars, range.first)} to ${day(bars, range.last)}, ${count} bars${CONTEXT_TEXT[context]}.`,
    ...events.slice(-MAX_EVENTS).map((event) => sentence(bars, event)),
    `The close of ${day(bars, last)} at ${formatPrice(bars.close[last]!)} is ${where}.`,
    ...(subPhase !== null && evidence === null && place === "inside" && subPhase === "B"
      ? [
          "No event of the last 40 bars separates buyers from sellers; the phase follows from the trend before the range.",
        ]
      : []),
  ].join(" ");
}

function sentence(bars: Bars, event: WyckoffEvent): string {
  const { type, springType, confirmedAt, voidAt, testedAt, bar } = event;
  const kind = springType === null ? "" : ` of type ${springType}`;
  const parts = [`${NAMES[type]}${kind} at ${formatPrice(event.price)} on ${day(bars, bar)}`];
  if (confirmedAt === null) parts.push("not confirmed yet");
  else if (confirmedAt > bar) parts.push(`confirmed on ${day(bars, confirmedAt)}`);
  if (testedAt !== null) parts.push(`tested on ${day(bars, testedAt)}`);
  if (voidAt !== null) parts.push(`void since the close of ${day(bars, voidAt)}`);
  return `${parts.join(", ")}.`;
}

/** Returns the bar's date, with time in UTC if the bars are intraday. */
function day(bars: Bars, bar: number): string {
  const iso = new Date(bars.time[bar]!).toISOString();
  return bars.timeframe === "1d" ? iso.slice(0, 10) : `${iso.slice(0, 16)}Z`;
}
