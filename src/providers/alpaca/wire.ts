import { z } from "zod";

const Price = z.number().positive();
/** A price of 0 is none. */
const PriceOrNone = z
  .number()
  .nonnegative()
  .nullish()
  .transform((price) => (price === undefined || price === 0 ? null : price));
/** With up to nine digits of a second. */
const Instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const Bar = z.object({
  /** Its start; of a day, midnight in New York. */
  t: Instant,
  o: PriceOrNone,
  h: PriceOrNone,
  l: PriceOrNone,
  c: PriceOrNone,
  v: z.number().nonnegative(),
});
export type Bar = z.infer<typeof Bar>;

const Snapshot = z.object({
  latestTrade: z.object({ t: Instant, p: Price }).nullish(),
  dailyBar: Bar.nullish(),
  prevDailyBar: Bar.nullish(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** By symbol; one that it does not list is not there. */
export const Snapshots = z.record(z.string(), Snapshot.nullable());

/** One page by symbol, oldest first; a symbol without bars is not there. The token asks for the next page. */
export const Bars = z.object({
  bars: z.record(z.string(), z.array(Bar)).nullable(),
  next_page_token: z.string().nullish(),
});
