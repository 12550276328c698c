import { z } from "zod";
import { Iso } from "../answers.ts";
import { DriverFigure, Price, Score } from "../figures.ts";
import { Timeframe } from "../market/bars.ts";
import { Direction, Grade } from "../signal/signal.ts";

/** Retention of changes, ms; for an earlier time, signals then and now are compared instead. */
export const CHANGE_RETENTION_MS = 90 * 86_400_000;

/** Fields of a signal whose change is reported. */
export const Verdict = z.object({
  direction: Direction,
  grade: Grade.nullable(),
  score: Score.nullable().describe("0-100, 50 neutral; null when its data is missing"),
});
export type Verdict = z.infer<typeof Verdict>;

/** A driver whose value changed. */
export const DriverMove = z.object({
  id: z.string(),
  from: DriverFigure.nullable().describe("-1 to 1"),
  to: DriverFigure.nullable(),
});
export type DriverMove = z.infer<typeof DriverMove>;

/** A signal that differs between an earlier closed bar and a later one; each change is reported once. */
export const SignalChange = z.object({
  change_id: z.string(),
  symbol: z.string(),
  timeframe: Timeframe,
  noticed_at: Iso.describe("When this server noticed it"),
  decided_at: Iso.describe("Close time of the decision bar; no input is later"),
  changed: z.array(z.enum(["direction", "grade"])),
  before: Verdict,
  after: Verdict,
  drivers: z.array(DriverMove).describe("Drivers whose value changed, largest change first"),
  price: Price.describe("Close of that bar, USD"),
  source: z.string().describe("Provider of the bars"),
  model_version: z.string(),
});
export type SignalChange = z.infer<typeof SignalChange>;

/** Signal at its last evaluation, for comparison with the next one; a signal without a score is never stored. */
export const SignalState = Verdict.extend({
  decided_at: Iso,
  drivers: z.record(z.string(), z.number().nullable()).describe("Driver values by id, to four digits"),
  model_version: z.string(),
});
export type SignalState = z.infer<typeof SignalState>;
