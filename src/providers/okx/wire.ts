import { z } from "zod";
import type { ProviderBar, ProviderQuote } from "../../domain/providers/price-provider.ts";

/** Every figure is decimal text; what is written otherwise is no number of theirs. */
const Decimal = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,20})?$/)
  .transform(Number);
/** A price of 0, or empty text, stands for none. */
const PriceOrNone = z
  .union([z.literal("").transform(() => null), Decimal])
  .transform((price) => (price === 0 ? null : price));
const VolumeOrNone = z.union([z.literal("").transform(() => null), Decimal]);
/** Milliseconds as text. */
const Time = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);

/** What every answer is in: code "0" with data, or another one with an excuse, at any status. */
export const Envelope = z.object({ code: z.string().regex(/^\d{1,6}$/), data: z.unknown() });

/** The newest trade as a list of one. */
export const Trades = z.tuple([
  z.object({ instId: z.string(), px: Decimal.refine((price) => price > 0), ts: Time }),
]);

/** The 24 hours before this moment. Its `ts` is when it was made, also when nothing but the order book had changed. */
export const Tickers = z.tuple([
  z.object({
    instType: z.string(),
    instId: z.string(),
    open24h: PriceOrNone.optional(),
    high24h: PriceOrNone.optional(),
    low24h: PriceOrNone.optional(),
    vol24h: VolumeOrNone.optional(),
  }),
]);

/** Start, open, high, low, close and volume of the base; then volumes of the quote and whether it has closed. */
export const Candles = z.array(
  z.tuple([Time, PriceOrNone, PriceOrNone, PriceOrNone, PriceOrNone, Decimal], z.unknown()),
);

export type Ticker = z.infer<typeof Tickers>[0];

/** A trade with the 24 hours before it. */
export function quoteOf({ px, ts }: z.infer<typeof Trades>[0], ticker: Ticker): ProviderQuote {
  return {
    price: px,
    tradedAt: ts,
    previousClose: ticker.open24h ?? null,
    open: ticker.open24h ?? null,
    high: ticker.high24h ?? null,
    low: ticker.low24h ?? null,
    volume: ticker.vol24h ?? null,
    volumeScope: "one_venue",
    venue: "OKX",
  };
}

/** One row as a bar. */
export const barOf = ([time, open, high, low, close, volume]: z.infer<
  typeof Candles
>[number]): ProviderBar => ({
  time,
  open,
  high,
  low,
  close,
  volume,
});
