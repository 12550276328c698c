import { z } from "zod";
import { Alternatives, Caveats, Iso, StaleNotes } from "../answers.ts";
import { EventRisk } from "../earnings/calendar.ts";
import { Score } from "../figures.ts";
import { ChartedAnswerFields } from "../pictured.ts";
import { ConflictFields } from "./conflicts.ts";
import { DriverRow, Signal, SignalInput, TargetR } from "./signal.ts";
import { ElliottBlock, WyckoffBlock } from "./structure.ts";

/** A served signal with its structure, price, inputs and notes. */
export const SignalData = z.object({
  signal: Signal.extend(ConflictFields),
  wyckoff: WyckoffBlock,
  elliott: ElliottBlock,
  event_risk: EventRisk,
  ...ChartedAnswerFields,
  engine_available: z.boolean(),
  engine: z
    .object({
      run_id: z.string(),
      runAt: Iso,
      score: Score.nullable(),
      grade: z.string().nullable(),
      direction: z.string(),
    })
    .optional()
    .describe("Result of the nightly run; absent if older than 24 hours"),
  inputs: z
    .array(SignalInput)
    .optional()
    .describe("What the signal was computed from, and since when; only with detail full"),
  reasons: z.array(z.string()).describe("The strongest drivers for and against, in words"),
  target_r: TargetR.optional().describe("Targets in multiples of the risk; only with detail full"),
  drivers: z.array(DriverRow).optional().describe("All 29 driver values; only with detail full"),
  notes: Caveats,
  stale_notes: StaleNotes,
  alternatives: Alternatives,
});
export type SignalData = z.input<typeof SignalData>;
