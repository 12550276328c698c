import { z } from "zod";

const Price = z.number().positive();
/** The last nanosecond a date can be of. */
const LAST = 8.64e21;
/** A price of 0 is none. */
const PriceOrNone = z
  .number()
  .nonnegative()
  .nullish()
  .transform((price) => (price === undefined || price === 0 ? null : price));

const Row = z.object({
  /** Its start in epoch ms; of a day, midnight in New York. */
  t: z.number().int().nonnegative(),
  o: PriceOrNone,
  h: PriceOrNone,
  l: PriceOrNone,
  c: PriceOrNone,
  v: z.number().nonnegative(),
});
export type Row = z.infer<typeof Row>;

/** Bars of one ticker, oldest first, adjusted for splits; without `results` where there are none, or no such ticker. */
export const Aggregates = z
  .object({
    ticker: z.string(),
    adjusted: z.literal(true),
    resultsCount: z.number(),
    results: z.array(Row).nullish(),
    /** The whole address of the next page. */
    next_url: z.string().nullish(),
  })
  .refine(({ resultsCount, results }) => resultsCount === 0 || results);

const Day = z.object({
  o: PriceOrNone,
  h: PriceOrNone,
  l: PriceOrNone,
  c: PriceOrNone,
  v: z.number().nonnegative().nullish(),
});

/** The newest state of one ticker; what its plan does not include is left out. */
export const Snapshot = z.object({
  ticker: z.object({
    ticker: z.string(),
    /** 0 throughout from 03:30 New York on until it begins. */
    day: Day.nullish(),
    prevDay: Day.nullish(),
    /** `t` in nanoseconds since 1970, rounded to some hundreds by being a number of JSON. */
    lastTrade: z.object({ p: Price, t: z.number().positive().max(LAST) }).nullish(),
  }),
});
export type Snapshot = z.infer<typeof Snapshot>["ticker"];
