import { z } from "zod";
import { Caveats, Figure, Iso, StaleNotes } from "../answers.ts";
import { DriverFigure, IndicatorFigure, Percent, Price, Score } from "../figures.ts";
import { Timeframe } from "../market/bars.ts";
import { OddsExplanation } from "../odds/odds-changes.ts";
import { Direction, Grade } from "./signal.ts";

const GradeFlip = z.object({
  price: Price.nullable().describe(
    "Nearest tick price that changes the grade; null if none is in the searched range",
  ),
  grade: Grade.nullable(),
  change_percent: Percent.nullable().describe("Distance from the close of the decision bar"),
  reason: z.string().nullable().describe("Why price is null"),
});

/** Why a signal came out as it did: its drivers, and what changes the verdict. */
export const SignalExplanation = z.object({
  symbol: z.string(),
  timeframe: Timeframe,
  direction: Direction,
  score: Score.nullable().describe("50 + 50 x the sum, clipped to 0-100"),
  grade: Grade.nullable(),
  reason: z.string().nullable().describe("Why the direction is WAIT"),
  notes: Caveats,
  stale_notes: StaleNotes,
  sum: DriverFigure.nullable().describe("Sum of all contributions, not clipped to -1 to 1"),
  groups: z.array(
    z.object({
      group: z.string(),
      title: z.string().optional(),
      value: DriverFigure.nullable().describe("null if fewer than half are available"),
      weight: DriverFigure.optional().describe("In the full model"),
      effective_weight: DriverFigure.describe("In this signal"),
      present: z.number().int(),
      of: z.number().int(),
    }),
  ),
  drivers: z.array(
    z.object({
      id: z.string(),
      title: z.string().optional().describe("Name to display"),
      group: z.string(),
      value: DriverFigure.nullable().describe("-1 to 1"),
      weight: DriverFigure,
      contribution: DriverFigure.nullable().describe("weight x value. All three have six decimals."),
      in_words: z.string().nullable().describe("Input value in words; null without a value"),
      reason: z.string().nullable().describe("Why value is null"),
      source: z.string().optional().describe("Author of the method"),
      inputs: z
        .record(z.string(), z.union([IndicatorFigure, z.string(), z.null()]))
        .optional()
        .describe("Inputs it was computed from"),
      data_as_of: Iso.nullable().optional(),
      age_seconds: Figure.optional().describe(
        "Age of its newest data at as_of; default: at the time of the response",
      ),
      without: z
        .object({ score: Score.nullable(), grade: Grade.nullable(), direction: Direction })
        .optional()
        .describe("The verdict without this driver"),
    }),
  ),
  flip: z
    .object({
      price: Price.nullable().describe(
        "Nearest tick price that changes the direction; null if none is in the searched range",
      ),
      direction: Direction.nullable(),
      change_percent: Percent.nullable().describe("Distance from the close of the decision bar"),
      reason: z
        .string()
        .nullable()
        .describe("Why the direction changes (the score, or only the levels), or why price is null"),
      searched_low: Price.nullable().describe(
        "Lowest price tested: 30% or 10 ATR14 below the close, whichever is nearer",
      ),
      searched_high: Price.nullable(),
      tick: Figure.describe("Price step of the search"),
    })
    .describe(
      "Signal if the decision bar had closed at price, with high and low extended to include it. Exact: no nearer tick changes the direction. All other inputs are unchanged: volume, peers, news, options flow, off-exchange prints, prediction markets.",
    ),
  grade_flip: z
    .object({
      nearest: z
        .enum(["better", "worse"])
        .nullable()
        .describe("Which of the two prices is nearer to the close"),
      better: GradeFlip.describe("Nearest close with a more attractive grade"),
      worse: GradeFlip.describe("Nearest close with a less attractive grade, or with no grade"),
    })
    .describe("Nearest closes that change the grade"),
  fewest_absent: z
    .object({
      drivers: z
        .array(z.string())
        .nullable()
        .describe("One or two driver ids; of several such sets, the one with the lowest weight"),
      direction: Direction.nullable().describe("Direction without them"),
      reason: z.string().nullable().describe("Why drivers is null"),
    })
    .describe("Smallest set of drivers whose removal changes the direction"),
  odds: OddsExplanation.nullable().describe("Odds of the levels; null without"),
  odds_reason: z.string().nullable().describe("Why there are no odds"),
  model_version: z.string(),
  inputs_hash: z.string(),
  source: z.string().describe("Provider of the bars; `sample` is simulated"),
  venue: z.string(),
  data_as_of: Iso.describe("Close time of the decision bar; no input is later"),
});
