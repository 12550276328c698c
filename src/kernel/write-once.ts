import type { Tool } from "./tool.ts";

/** The response as it may be stored: null in each field that is returned only once. */
export const redactWriteOnce = (
  { secrets: { writeOnce = [] } = {} }: Pick<Tool, "secrets">,
  answer: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  writeOnce.length === 0
    ? answer
    : { ...answer, ...Object.fromEntries(writeOnce.map((field) => [field, null])) };
