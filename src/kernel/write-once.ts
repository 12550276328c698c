import type { Tool } from "./tool.ts";

/** An answer as it may be kept: null where a field is told to whoever asked and to nobody again. */
export const redactWriteOnce = (
  { toldOnce = [] }: Pick<Tool, "toldOnce">,
  answer: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  toldOnce.length === 0
    ? answer
    : { ...answer, ...Object.fromEntries(toldOnce.map((field) => [field, null])) };
