import { z } from "zod";
import { Ratio } from "../figures.ts";

export const CONFLICT_CODES = [
  "wyckoff_against",
  "elliott_against",
  "stage_against",
  "earnings_ahead",
  "price_outside_entry",
  "odds_against",
] as const;

/** A fact that contradicts a verdict or its plan. */
export const Conflict = z.object({ code: z.enum(CONFLICT_CODES), text: z.string() });
export type Conflict = z.infer<typeof Conflict>;

export const EntryState = z
  .enum(["inside", "above", "below", "expired", "stale"])
  .describe(
    "Position of the price relative to the entry zone; expired: it has reached the stop or the first target; stale: more than 3 later bars are missing, so do not act on it. Without a price, at the close of the decision bar",
  );
export type EntryState = z.infer<typeof EntryState>;

/** Fields of a signal that compare its verdict with other facts. */
export const ConflictFields = {
  entry_state: EntryState,
  rr_now: Ratio.nullable().describe(
    "Reward to risk from the price to the first target; null inside the zone, when expired and when stale",
  ),
  conflicts: z.array(Conflict).describe("Facts against the verdict or its plan; none for a WAIT"),
};
export type ConflictFields = Readonly<z.infer<z.ZodObject<typeof ConflictFields>>>;
