import { z } from "zod";
import type { ProviderBar, ProviderQuote } from "../../domain/providers/price-provider.ts";

/** Decimals come as text; what is written otherwise is no number of theirs. */
const Decimal = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,20})?$/)
  .transform(Number);
/** A price of 0 stands for none. */
const PriceOrNone = Decimal.transform((price) => (price > 0 ? price : null));
const Time = z.int().positive().max(8.64e15);

/** What it answers in the place of data. */
export const Refusal = z.object({ code: z.int().negative() });

/** The newest trade as a list of one: which pair it is of, it does not say. */
export const Trades = z.tuple([z.object({ p: Decimal.refine((price) => price > 0), T: Time })]);

/** Statistics of the 24 hours before this moment. Its `closeTime` is when they were made, not when the pair traded. */
export const Day = z.object({
  symbol: z.string(),
  openPrice: PriceOrNone.optional(),
  highPrice: PriceOrNone.optional(),
  lowPrice: PriceOrNone.optional(),
  volume: Decimal.optional(),
});

/** Opening time, open, high, low, close and volume of the base; the rest counts quotes and trades. */
export const Klines = z.array(
  z.tuple([Time, PriceOrNone, PriceOrNone, PriceOrNone, PriceOrNone, Decimal], z.unknown()),
);

/** A trade with the 24 hours before it. */
export function quoteOf(trades: z.infer<typeof Trades>, day: z.infer<typeof Day>): ProviderQuote {
  const [{ p: price, T: tradedAt }] = trades;
  return {
    price,
    tradedAt,
    previousClose: day.openPrice ?? null,
    open: day.openPrice ?? null,
    high: day.highPrice ?? null,
    low: day.lowPrice ?? null,
    volume: day.volume ?? null,
    volumeScope: "one_venue",
    venue: "BINANCE",
  };
}

/** One row as a bar. */
export const barOf = ([time, open, high, low, close, volume]: z.infer<
  typeof Klines
>[number]): ProviderBar => ({
  time,
  open,
  high,
  low,
  close,
  volume,
});
