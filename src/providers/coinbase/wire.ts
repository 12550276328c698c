import { z } from "zod";
import type { ProviderBar, ProviderQuote } from "../../domain/providers/price-provider.ts";

/** Decimals of quotes come as text; what is written otherwise is no number of theirs. */
const Decimal = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,20})?$/)
  .transform(Number);
/** A price of 0 stands for none. */
const PriceOrNone = Decimal.transform((price) => (price > 0 ? price : null));

/** The newest trade with its time to the nanosecond. Which product it is of, it does not say. */
export const Ticker = z.object({
  price: Decimal.refine((price) => price > 0),
  time: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)
    .transform((text) => Date.parse(text))
    .refine((time) => time > 0),
});

/** The 24 hours before this moment. */
export const Stats = z.object({
  open: PriceOrNone.optional(),
  high: PriceOrNone.optional(),
  low: PriceOrNone.optional(),
  volume: Decimal.optional(),
});

const Figure = z
  .number()
  .nonnegative()
  .nullable()
  .transform((price) => (price === 0 ? null : price));
/** The last second of a year that dates can have. */
const Seconds = z.int().positive().max(8.64e12);

/** Start in seconds, LOW, HIGH, open, close and volume of the base, all numbers. */
export const Candles = z.array(
  z.tuple([Seconds, Figure, Figure, Figure, Figure, z.number().nonnegative()], z.unknown()),
);

/** A trade with the 24 hours before it. */
export function quoteOf(ticker: z.infer<typeof Ticker>, stats: z.infer<typeof Stats>): ProviderQuote {
  return {
    price: ticker.price,
    tradedAt: ticker.time,
    previousClose: stats.open ?? null,
    open: stats.open ?? null,
    high: stats.high ?? null,
    low: stats.low ?? null,
    volume: stats.volume ?? null,
    volumeScope: "one_venue",
    venue: "COINBASE",
  };
}

/** One row as a bar. */
export const barOf = ([seconds, low, high, open, close, volume]: z.infer<
  typeof Candles
>[number]): ProviderBar => ({ time: seconds * 1000, open, high, low, close, volume });
