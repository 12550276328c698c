import { z } from "zod";
import type { ProviderBar, ProviderQuote } from "../../domain/providers/price-provider.ts";

/** Figures come as text; what is written otherwise is no number of theirs. */
const Decimal = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,20})?$/)
  .transform(Number);
/** A price of 0 stands for none. */
const PriceOrNone = Decimal.transform((price) => (price > 0 ? price : null));
/** The last second that dates can have. */
const LAST = 8.64e12;

/** What every answer is in: complaints, or the pair under a name of its own. */
export const Envelope = z.object({
  error: z.array(z.string()),
  result: z.record(z.string(), z.unknown()).optional(),
});

/** Price, amount and time in seconds with fractions, oldest first. */
export const Trades = z.array(
  z.tuple([Decimal.refine((price) => price > 0), Decimal, z.number().positive().max(LAST)], z.unknown()),
);

/** Figures of the UTC day, then of the 24 hours before this moment. None has a time. */
export const Day = z.object({
  h: z.tuple([PriceOrNone, PriceOrNone]).optional(),
  l: z.tuple([PriceOrNone, PriceOrNone]).optional(),
  v: z.tuple([Decimal, Decimal]).optional(),
});

/** Start in seconds, open, high, low, close, average price, volume of the base and number of trades. */
export const Candles = z.array(
  z.tuple(
    [z.int().positive().max(LAST), PriceOrNone, PriceOrNone, PriceOrNone, PriceOrNone, z.unknown(), Decimal],
    z.unknown(),
  ),
);

export type Trade = z.infer<typeof Trades>[number];

/**
 * A trade with the 24 hours before this moment. What the price was 24 hours ago it does not say: its `o` is of 00:00
 * UTC. Where nothing has traded in 24 hours the figures are of no trade.
 */
export function quoteOf([price, , seconds]: Trade, day: z.infer<typeof Day>): ProviderQuote {
  const { h, l, v }: z.infer<typeof Day> = day.v?.[1] === 0 ? {} : day;
  return {
    price,
    tradedAt: Math.floor(seconds * 1000),
    previousClose: null,
    open: null,
    high: h?.[1] ?? null,
    low: l?.[1] ?? null,
    volume: v?.[1] ?? null,
    volumeScope: "one_venue",
    venue: "KRAKEN",
  };
}

/** One row as a bar. */
export const barOf = ([seconds, open, high, low, close, , volume]: z.infer<
  typeof Candles
>[number]): ProviderBar => ({ time: seconds * 1000, open, high, low, close, volume });
