import { momentOf } from "../../domain/answers.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Returns the time for which a request is made, epoch ms: its `as_of`, else now. */
export const requestedTime = (asOf: string | undefined, now: Date): number =>
  asOf === undefined ? now.getTime() : parsePastTime(asOf, now);

/**
 * Converts a past date or time to epoch ms; today's date means now. Throws INVALID_INPUT with the field's name for a
 * future time.
 */
export function parsePastTime(asOf: string, now: Date, field = "as_of"): number {
  const moment = momentOf(asOf);
  const today = asOf.length === 10 && asOf === now.toISOString().slice(0, 10);
  if (moment <= now.getTime()) return moment;
  if (today) return now.getTime();
  throw futureTimeError(asOf, now, field);
}

/** Returns the error on a time that must not be in the future. */
export const futureTimeError = (text: string, now: Date, field: string): ToolError =>
  new ToolError("INVALID_INPUT", `${field} ${text} is in the future`, {
    hint: `It is ${now.toISOString()}; omit ${field} for the newest data.`,
    data: { errors: [{ pointer: `/${field}`, detail: "is in the future" }] },
  });
