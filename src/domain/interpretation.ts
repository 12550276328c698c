import { z } from "zod";

/** What a question in plain words asks for. */
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
