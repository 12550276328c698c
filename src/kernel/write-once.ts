import type { Tool } from "./tool.ts";

/** Returns the output as it may be stored: null in each field that is returned only once. */
export const redactWriteOnce = (
  { secrets: { writeOnce = [] } = {} }: Pick<Tool, "secrets">,
  output: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  writeOnce.length === 0
    ? output
    : { ...output, ...Object.fromEntries(writeOnce.map((field) => [field, null])) };
