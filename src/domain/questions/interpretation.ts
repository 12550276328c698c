import { z } from "zod";

/** Intent of a question in plain words. */
export const Intent = z.enum([
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
export type Intent = z.infer<typeof Intent>;

/** One skill called to answer a question, and its result. */
export const SkillResult = z.object({
  symbol: z.string().nullable().describe("Canonical; null where the whole market was asked about"),
  skill: z.string().describe("The tool that answered; it takes the same symbol"),
  figures: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("What `answer` is written from: rounded, with source and time; null with an error"),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("That tool's whole answer; null with an error, and where it would be too long"),
  error: z
    .object({ code: z.string(), message: z.string(), hint: z.string().nullable() })
    .nullable()
    .describe("Why there is no answer"),
});
export type SkillResult = z.infer<typeof SkillResult>;
