import { momentOf } from "../../domain/answers.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Epoch ms of a moment that has been: the future is refused by the name of its field, a date whose day has not ended means now. */
export function pastMoment(asOf: string, now: Date, field = "as_of"): number {
  const moment = momentOf(asOf);
  const today = asOf.length === 10 && asOf === now.toISOString().slice(0, 10);
  if (moment <= now.getTime()) return moment;
  if (today) return now.getTime();
  throw new ToolError("INVALID_INPUT", `${field} ${asOf} lies in the future`, {
    hint: `It is ${now.toISOString()}; leave ${field} out for the newest.`,
    data: { errors: [{ pointer: `/${field}`, detail: "lies in the future" }] },
  });
}
