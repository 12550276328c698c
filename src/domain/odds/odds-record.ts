import { z } from "zod";
import { Ratio } from "../figures.ts";
import { Timeframe } from "../market/bars.ts";
import { AssetClass } from "../market/market.ts";
import { Horizon, Interval } from "../track-record/track.ts";

const Bin = z.object({
  odds: Ratio,
  happened: Ratio,
  n: z.number().int(),
});

const EndRate = z.object({ odds: Ratio.describe("Mean odds"), happened: Ratio });

/** How odds compare with what happened, of one period, timeframe, asset class, method and horizon. */
export const OddsRow = z.object({
  period: z.string().describe("all, year of the decision, or last_250_days"),
  timeframe: Timeframe,
  asset_class: AssetClass.nullable().describe("null: all"),
  version: z.string().describe("Method: odds-… paths, odds-closed-form-… formula"),
  horizon: Horizon,
  n: z.number().int().describe("Forecasts, one per symbol and bar"),
  n_eff: Ratio.describe("Effective n, as in rows"),
  entry_dates: z.number().int(),
  replayed: z.number().int().describe("Of n, computed after the outcome was known"),
  cover_50: Ratio.describe("Share of closes within the 50% range"),
  cover_80: Ratio,
  cover_80_interval: z
    .object({ low: Ratio, high: Ratio })
    .nullable()
    .describe("95% Wilson interval over n_eff"),
  cover_90: Ratio,
  crps_skill: Ratio.nullable().describe(
    "Share of the CRPS of the base that is avoided, from seven quantiles; 0: no skill",
  ),
  touch: z.object({
    n: z.number().int().describe("Touches of levels at fixed percents from the close"),
    brier_skill: Ratio.nullable().describe("Against the base rate; 0: no skill"),
    calibration_error: Ratio.nullable().describe("Mean distance of odds and share over ten bins"),
    reliability: z.array(Bin).optional().describe("Bins of 10 points; omitted in concise and of years"),
  }),
  plan: z
    .object({
      n: z.number().int(),
      stop: EndRate,
      target: EndRate,
      brier_skill: Ratio.nullable().describe("Against the base rate"),
    })
    .nullable()
    .describe("Levels of the signals over 20 bars; null at other horizons"),
});
export type OddsRow = z.infer<typeof OddsRow>;

/** Odds of one event against what happened: of daily bars of one asset class, method, horizon, side and volatility. */
export const OddsBucket = z.object({
  /** Null: all. */
  asset_class: AssetClass.nullable(),
  version: z.string(),
  horizon: Horizon,
  event: z
    .enum(["in_80_range", "touch", "stop_first", "target_first"])
    .describe("Close in the 80% range, touch of a level, end of a signal's plan"),
  side: z
    .enum(["LONG", "SHORT"])
    .nullable()
    .describe("Of the plan; touch: LONG above the close, SHORT below; null: range"),
  volatility: z
    .enum(["under 10%", "10-20%", "20-35%", "35-60%", "over 60%"])
    .describe("Forecast volatility a year"),
  n: z.number().int().describe("Forecasts"),
  odds: Ratio.describe("Mean odds"),
  happened: Ratio,
});
export type OddsBucket = z.infer<typeof OddsBucket>;

/** A bucket of the current method, and whether its odds came true. */
export const JudgedBucket = OddsBucket.omit({ version: true, asset_class: true }).extend({
  interval: Interval.describe("95% Wilson interval of happened over n / 20, or n / 60 at horizon 60"),
  within_3_points: z
    .boolean()
    .nullable()
    .describe("null: under 500 forecasts, not measured. Concise: at most 5 rows that are false, worst first"),
});
export type JudgedBucket = z.infer<typeof JudgedBucket>;

/** Record of the odds of one market: served, nightly and replayed forecasts. */
export const OddsRecord = z.object({
  computed_at: z.iso.datetime(),
  /** Forecasts with an outcome, and when the first and last of them were decided. */
  forecasts: z.number().int(),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  rows: z.array(OddsRow),
  /** Omitted in records of an earlier version. */
  buckets: z.array(OddsBucket).optional(),
});
export type OddsRecord = z.infer<typeof OddsRecord>;
