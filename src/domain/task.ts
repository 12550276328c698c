import { z } from "zod";

/** What one symbol's part of a task came to: the answer of the tool that took it, or why there is none. */
export const TaskResult = z.object({
  symbol: z.string().describe("As it was asked"),
  skill: z.string().describe("The tool that answered"),
  data: z.record(z.string(), z.unknown()).nullable().describe("That tool's whole answer; null with an error"),
  error: z
    .object({ code: z.string(), message: z.string(), hint: z.string().nullable() })
    .nullable()
    .describe("Why there is no answer for this symbol"),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** Symbols one task may ask for. */
export const MOST_SYMBOLS = 20;
