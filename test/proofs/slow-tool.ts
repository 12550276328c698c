import { z } from "zod";
import { defineTool } from "../../src/kernel/tool.ts";

/** A call that takes the given time, unless it is cancelled earlier. */
export const waitSlowly = defineTool({
  name: "wait_slowly",
  title: "Wait",
  description: "Waits.",
  toolset: "system",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/wait",
  needs: [],
  input: z.object({ ms: z.number().int().min(0).max(60_000).describe("How long") }),
  output: z.object({ waited: z.number(), filler: z.string() }),
  examples: [{ ask: "Wait", input: { ms: 1 } }],
  handler: ({ ms }, { signal }) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve({ waited: ms, filler: "x".repeat(200_000) }), ms);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
});
