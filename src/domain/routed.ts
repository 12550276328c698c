import { z } from "zod";
import { Failure } from "./answers.ts";
import { ScanRow } from "./nightly/scan.ts";
import { TaskResult } from "./requests/task.ts";
import { Proposal } from "./trading/proposal.ts";

/** Output fields of a routed request for its parts: signals of the symbols, analysis, recommendations and errors. */
export const Routed = {
  signals: z.array(ScanRow).describe("Signals of the symbols, strongest score first"),
  analysis: z.array(TaskResult).describe("Results by skill"),
  recommendations: z
    .array(Proposal)
    .describe("Action for each symbol, with a ticket if it may be traded; no order is sent"),
  errors: z
    .array(
      z.object({
        part: z.enum(["signals", "recommendations"]),
        symbol: z.string().describe("Symbol as requested"),
        ...Failure.shape,
      }),
    )
    .describe("Symbols missing from signals or recommendations, and why"),
} as const;
