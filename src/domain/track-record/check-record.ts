import { z } from "zod";
import { Iso } from "../answers.ts";
import { Odds, Ratio } from "../figures.ts";
import { AssetClass } from "../market/market.ts";
import { Interval } from "./track.ts";

/** Odds of one event after checks of orders, against what happened. */
export const CheckRecordRow = z.object({
  event: z.enum(["fill", "stop_first", "target_first"]).describe("Ends are of filled orders"),
  asset_class: AssetClass.nullable().describe("null: all"),
  side: z.enum(["LONG", "SHORT"]).nullable().describe("null: both"),
  n: z.number().int().describe("Orders"),
  n_eff: z.number().int().describe("Overlapping ones count as one"),
  odds: Odds.describe("Mean stated odds"),
  happened: Ratio,
  interval: Interval.unwrap().describe("95% Wilson interval over n_eff"),
  base: Odds.describe("Of past windows"),
  reliability: z
    .array(z.object({ odds: Ratio, happened: Ratio, n: z.number().int() }))
    .optional()
    .describe("By bin of odds, in full"),
});
export type CheckRecordRow = z.infer<typeof CheckRecordRow>;

/** Record of the odds of checked orders of one market. */
export const CheckRecord = z.object({
  computed_at: Iso,
  /** Method of the odds. */
  version: z.string(),
  /** Orders with an outcome, and when the first and last of them were checked. */
  orders: z.number().int(),
  from: Iso,
  until: Iso,
  rows: z.array(CheckRecordRow),
});
export type CheckRecord = z.infer<typeof CheckRecord>;
