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
  throw new ToolError("INVALID_INPUT", `${field} ${asOf} is in the future`, {
    hint: `It is ${now.toISOString()}; omit ${field} for the newest data.`,
    data: { errors: [{ pointer: `/${field}`, detail: "is in the future" }] },
  });
}
