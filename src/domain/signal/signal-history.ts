import { z } from "zod";
import { Count, Iso } from "../answers.ts";
import { Percent, Price, RMultiple, Score } from "../figures.ts";
import { Direction, Grade, PlanLevels } from "./signal.ts";

const Touch = (what: string) =>
  z
    .boolean()
    .nullable()
    .describe(`true: ${what} traded within the 20 bars after; null: not yet, and they are not over`);
const Day = z
  .string()
  .nullable()
  .optional()
  .describe("Start of the first bar that traded there, as in datetime; null if none did");

/** What happened in the 20 bars after a signal; optional fields only with detail full. */
export const HistoryOutcome = z.object({
  bars: Count.optional().describe("Closed bars after it, up to 20"),
  over: z.boolean().describe("true: all 20 bars have closed"),
  entry_reached: Touch("a price of the entry zone"),
  entry_at: Day,
  stop_reached: Touch("the stop or a price beyond"),
  stop_at: Day,
  target_reached: Touch("the first target or a price beyond"),
  target_at: Day,
  first: z
    .enum(["stop", "target", "neither"])
    .nullable()
    .describe("Reached first from the close, the stop if both are in one bar; null until 20 bars are over"),
  change_percent: Percent.nullable().describe("From the close to the close 20 bars later"),
  r: RMultiple.nullable().describe(
    "Result of the trade from the next open, in R; null for WAIT and a void plan",
  ),
  right: z
    .boolean()
    .nullable()
    .describe("true: after 20 bars the close had moved in the direction of the signal; null for WAIT"),
  reason: z.string().nullable().describe("Why something is null"),
});
export type HistoryOutcome = z.input<typeof HistoryOutcome>;

/** The signal of one past bar, as get_signal returns it with as_of, and what happened after. */
export const HistoryRow = z.object({
  datetime: z.string().describe("Start of the bar: a date for daily bars, else ISO 8601 UTC"),
  as_of: Iso.describe("Close of the bar; get_signal as of this time returns this signal"),
  direction: Direction,
  grade: Grade.nullable(),
  score: Score.nullable(),
  close: Price,
  plan: PlanLevels.partial({ target_r: true }).nullable().describe("null with too few bars for levels"),
  outcome: HistoryOutcome.nullable().describe("null without a plan"),
});
export type HistoryRow = z.input<typeof HistoryRow>;

/** Counts of the signals LONG and SHORT of a page whose 20 bars are over. */
export const HistorySummary = z.object({
  bars: Count.describe("Bars of the page"),
  signals: Count.describe("LONG or SHORT"),
  over: Count.describe("Of these, those whose 20 bars are over"),
  target_first: Count,
  stop_first: Count,
  neither: Count,
  right: Count,
});
