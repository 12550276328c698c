import { z } from "zod";
import { Failure } from "../answers.ts";

/** Intent of a question in plain words. */
export const QuestionIntent = z.enum([
  "signal",
  "compare",
  "scan",
  "news",
  "earnings",
  "flow",
  "portfolio",
  "definition",
  "greeting",
  "unknown",
]);
export type QuestionIntent = z.infer<typeof QuestionIntent>;

/** One skill called to answer a question, and its result. */
export const SkillResult = z.object({
  symbol: z.string().nullable().describe("Canonical; null for a question about the whole market"),
  skill: z.string().describe("Tool that returned the answer; it takes the same symbol"),
  figures: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("Figures behind `answer`: rounded, with source and time; null with an error"),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("Complete output of that tool; null with an error or if too long"),
  error: Failure.nullable().describe("Why there is no answer"),
});
export type SkillResult = z.infer<typeof SkillResult>;
