import { momentOf } from "../domain/answers.ts";
import { ToolError } from "../kernel/errors.ts";

/** Epoch ms of a moment that has been: the future is refused, a date whose day has not ended means now. */
export function pastMoment(asOf: string, now: Date): number {
  const moment = momentOf(asOf);
  const today = asOf.length === 10 && asOf === now.toISOString().slice(0, 10);
  if (moment <= now.getTime()) return moment;
  if (today) return now.getTime();
  throw new ToolError("INVALID_INPUT", `as_of ${asOf} lies in the future`, {
    hint: `It is ${now.toISOString()}; leave as_of out for the newest.`,
    data: { errors: [{ pointer: "/as_of", detail: "lies in the future" }] },
  });
}
