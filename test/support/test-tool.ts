import { z } from "zod";

/** Fields of a tool that are irrelevant to a test; spread first into its definition. */
export const TEST_TOOL = {
  description: "A tool of the tests.",
  toolset: "system",
  plan: "pro",
  effect: "read",
  needs: [],
  input: z.object({}),
  examples: [{ ask: "Call it", input: {} }],
} as const;
