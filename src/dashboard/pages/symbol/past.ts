import type { Output } from "../../api/tools.ts";
import { dayText, price, signedPercent, signedR } from "../../views/format.ts";

/** What the signal said at one past bar, and what happened after. */
export type PastSignal = Output<"get_signal_history">["rows"][number];

const DAY_MS = 86_400_000;
/** Days to which the slider goes back. */
export const PAST_DAYS = 365;

/** Returns the day that an address names; null for today, a later day and what is no day. */
export function pastDayOf(text: string | null, now: number): string | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(text ?? "") ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) return null;
  return text < new Date(now).toISOString().slice(0, 10) ? text : null;
}

/** Returns the day before a newest one by a number of days, such as 2026-10-01. */
export const dayBefore = (newest: string, days: number): string =>
  new Date(Date.parse(`${newest}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);

/** Returns the number of days from a day to the newest one. */
export const daysBefore = (newest: string, day: string): number =>
  Math.round((Date.parse(newest) - Date.parse(day)) / DAY_MS);

/** Returns the signal that was the newest at the end of a day. */
export const signalAt = (rows: readonly PastSignal[], day: string): PastSignal | null =>
  rows.find(({ datetime }) => datetime.slice(0, 10) <= day) ?? null;

/** Returns what happened after a signal in sentences; its plan ends after 20 bars, if known on the day `judgedOn`. */
export function sinceSentences(
  { outcome, plan, direction }: PastSignal,
  judgedOn: string | null = null,
): readonly string[] {
  if (outcome === null || plan === null) return ["There was no plan, so nothing can be said about it."];
  const { first, stop_at: stopAt, target_at: targetAt, r, right, change_percent: change } = outcome;
  const intro = direction === "WAIT" ? ["It said WAIT, so there was no trade; of the levels to watch:"] : [];
  const events: readonly string[] =
    first === "target"
      ? [`Target 1 (${price(plan.targets[0])}) came first, on ${dayOf(targetAt)}.`]
      : first === "stop"
        ? [`The stop (${price(plan.stop_loss)}) came first, on ${dayOf(stopAt)}.`]
        : first === "neither"
          ? ["Neither stop nor target 1 was reached within 20 bars."]
          : [
              ...(stopAt == null ? [] : [`The stop was reached on ${dayOf(stopAt)}.`]),
              ...(targetAt == null ? [] : [`Target 1 was reached on ${dayOf(targetAt)}.`]),
            ];
  return [
    ...intro,
    ...events,
    ...(change === null
      ? []
      : [
          `20 bars later the close was ${signedPercent(change)} away${judgedOn === null ? "" : `, on ${dayText(judgedOn)}`}${right === null ? "" : `: by that close alone, whatever came after it, ${direction} was ${right ? "right" : "wrong"}`}.`,
        ]),
    ...(r === null ? [] : [`Traded from the next open, the plan came to ${signedR(r)}.`]),
    ...(outcome.reason === null || direction === "WAIT" ? [] : [`${outcome.reason}.`]),
  ];
}

const dayOf = (datetime: string | null | undefined): string =>
  datetime == null ? "an unknown day" : dayText(datetime);
