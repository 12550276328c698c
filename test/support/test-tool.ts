import { z } from "zod";

/** Fields of a tool that a test does not care about, to be spread first into its definition. */
export const TEST_TOOL = {
  description: "A tool of the tests.",
  toolset: "system",
  plan: "pro",
  effect: "read",
  needs: [],
  input: z.object({}),
  examples: [{ ask: "Call it", input: {} }],
} as const;
