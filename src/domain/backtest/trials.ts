import { z } from "zod";

/** Settings that were run: their key, and their annualised arithmetic Sharpe ratio, null if undefined. */
export const CountedTrial = z.tuple([z.string(), z.number().nullable()]);
export type CountedTrial = z.infer<typeof CountedTrial>;

/** The trials of one stored backtest, and the bars on which they were run; times in epoch ms. */
export const TrialRecord = z.object({
  symbols: z.array(z.string()),
  timeframe: z.string(),
  from: z.number(),
  to: z.number(),
  trials: z.array(CountedTrial),
});
export type TrialRecord = z.infer<typeof TrialRecord>;
