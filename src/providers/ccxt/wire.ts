import { z } from "zod";
import {
  type ProviderBar,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";

const Time = z.int().positive().max(8.64e15);
const PriceOrNone = z
  .number()
  .nonnegative()
  .nullish()
  .transform((price) => (price === undefined || price === 0 ? null : price));
const VolumeOrNone = z
  .number()
  .nonnegative()
  .nullish()
  .transform((volume) => volume ?? null);

/** A market of an exchange that can be asked: spot, and not switched off. */
export const SpotMarket = z.object({
  symbol: z.string(),
  spot: z.literal(true),
  active: z.literal(true).nullish(),
});

/** The 24 hours before this moment. Its `timestamp` may be the exchange's clock rather than a trade's, so it is not read. */
export const Ticker = z.object({
  symbol: z.string(),
  open: PriceOrNone,
  high: PriceOrNone,
  low: PriceOrNone,
  baseVolume: VolumeOrNone,
});

export const Trades = z.array(
  z.object({ symbol: z.string(), timestamp: Time, price: z.number().positive() }),
);

/** Start, open, high, low, close and volume of the base. */
export const Rows = z.array(
  z.tuple([Time, PriceOrNone, PriceOrNone, PriceOrNone, PriceOrNone, VolumeOrNone], z.unknown()),
);

/** What was said, or ProviderFailure "malformed". */
export function parseAs<T>(shape: z.ZodType<T>, said: unknown): T {
  const read = shape.safeParse(said);
  if (read.success) return read.data;
  throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
}

/** The newest of the trades with the 24 hours before it; null without a trade. */
export function quoteOf(
  trades: z.infer<typeof Trades>,
  { open, high, low, baseVolume }: z.infer<typeof Ticker>,
  venue: string,
): ProviderQuote | null {
  const newest = trades.reduce<(typeof trades)[number] | null>(
    (last, trade) => (last === null || trade.timestamp >= last.timestamp ? trade : last),
    null,
  );
  if (newest === null) return null;
  return {
    price: newest.price,
    tradedAt: newest.timestamp,
    previousClose: open,
    open,
    high,
    low,
    volume: baseVolume,
    volumeScope: "one_venue",
    venue,
  };
}

/** One row as a bar. */
export const barOf = ([time, open, high, low, close, volume]: z.infer<typeof Rows>[number]): ProviderBar => ({
  time,
  open,
  high,
  low,
  close,
  volume,
});
