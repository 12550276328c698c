import { z } from "zod";
import type { Adjustment, Bar } from "../domain/market/bars.ts";
import type {
  CachedBars,
  CachedOrigin,
  CachedQuote,
  Disagreement,
} from "../domain/market/market-cache-port.ts";

/** Clocks of processes that share a store may be so far apart. */
const MAX_CLOCK_SKEW_MS = 60_000;

const amount = z.number().finite();
const price = amount.positive();
const orNull = (shape: z.ZodType<number>) => shape.nullable();
const CachedOriginFields = {
  source: z.string().min(1),
  venue: z.string().min(1),
  volumeScope: z.enum(["all_venues", "one_venue"]),
  fetchedAt: amount,
} satisfies { readonly [K in keyof CachedOrigin]: z.ZodType<CachedOrigin[K]> };
const BarRow: z.ZodType<Bar> = z.object({
  time: amount,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: amount.nonnegative(),
});
const AdjustmentField: z.ZodType<Adjustment> = z.enum(["raw", "split", "total_return", "unknown"]);

/** A kept quote as it is written. */
export const QuoteRow: z.ZodType<CachedQuote> = z.object({
  ...CachedOriginFields,
  price,
  tradedAt: amount,
  previousClose: orNull(price),
  open: orNull(price),
  high: orNull(price),
  low: orNull(price),
  volume: orNull(amount.nonnegative()),
  delayMinutes: amount.nonnegative(),
  liveWithinMs: amount.nonnegative(),
});

/** Kept bars as they are written: ascending, each price above 0. */
export const BarsRow: z.ZodType<CachedBars> = z.object({
  ...CachedOriginFields,
  from: amount,
  at: amount,
  adjustment: AdjustmentField,
  bars: z
    .array(BarRow)
    .refine((bars) => bars.every(({ time }, i) => i === 0 || time > bars[i - 1]!.time), "not ascending"),
  forming: BarRow.nullable(),
});

/** A disagreement as it is written. */
export const DisagreementRow: z.ZodType<Disagreement> = z.object({
  symbol: z.string(),
  at: z.iso.datetime(),
  providers: z.tuple([z.string(), z.string()]).readonly(),
  prices: z.tuple([price, price]).readonly(),
  difference_percent: amount,
  limit_percent: amount,
});

/** What the conditions of a subscription were last seen as, by symbol. */
export const SeenRow = z.record(z.string(), z.string());

/** What a row says in its shape; null for one that says anything else. */
export function readRow<T>(shape: z.ZodType<T>, said: string | undefined): T | null {
  if (said === undefined) return null;
  try {
    return shape.parse(JSON.parse(said));
  } catch {
    return null;
  }
}

/** What was kept, unless by a clock that was ahead: what has not been is not told. */
export const unlessFromFuture = <T extends CachedOrigin>(kept: T | null, now: number): T | null =>
  kept === null || kept.fetchedAt > now + MAX_CLOCK_SKEW_MS ? null : kept;
