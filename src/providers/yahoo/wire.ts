import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";

const Price = z.number().positive();
/** Epoch seconds of a date that exists. */
const Seconds = z.int().positive().max(8.64e12);
/** A slot that nothing has traded in yet is null. */
const Slots = z.array(z.number().nonnegative().nullable());

const Meta = z.object({
  symbol: z.string(),
  currency: z.string(),
  instrumentType: z.string(),
  regularMarketPrice: Price,
  regularMarketTime: Seconds,
  regularMarketDayHigh: Price.nullish(),
  regularMarketDayLow: Price.nullish(),
  /** Shares; of crypto, the turnover of 24 hours in dollars. */
  regularMarketVolume: z.number().nonnegative().nullish(),
  /** Close before the session of the newest regular trade, in charts of parts of a day. */
  previousClose: Price.nullish(),
  /** Close before the first session of the chart. */
  chartPreviousClose: Price.nullish(),
});

const Columns = z.object({
  open: Slots.optional(),
  high: Slots.optional(),
  low: Slots.optional(),
  close: Slots.optional(),
  volume: Slots.optional(),
});

const Result = z.object({
  meta: Meta,
  /** Absent where no bar lies in the range. */
  timestamp: z.array(Seconds).optional(),
  indicators: z.object({ quote: z.tuple([Columns], z.unknown()) }),
});

/** A chart, or the reason why there is none. */
export const Chart = z.object({
  chart: z.object({
    result: z.array(Result).nullable(),
    error: z.object({ description: z.string().nullish() }).nullable(),
  }),
});
export type ChartResult = z.infer<typeof Result>;

/** One slot of a chart; prices as they were before they were kept in 32 bits, which hold seven digits. A price of 0 is none. */
export interface Slot {
  /** Epoch ms. */
  readonly at: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly volume: number | null;
}

/** Columns as slots, in the order they came in. ProviderFailure "malformed" where the columns do not fit together. */
export function slotsOf({ timestamp = [], indicators }: ChartResult): readonly Slot[] {
  const [columns] = indicators.quote;
  const { open = [], high = [], low = [], close = [], volume = [] } = columns;
  if ([open, high, low, close, volume].some((column) => column.length !== timestamp.length))
    throw new ProviderFailure("malformed", "columns of different lengths");
  return timestamp.map((seconds, i) => ({
    at: seconds * 1_000,
    open: sevenDigits(open[i]!),
    high: sevenDigits(high[i]!),
    low: sevenDigits(low[i]!),
    close: sevenDigits(close[i]!),
    volume: volume[i]!,
  }));
}

const sevenDigits = (price: number | null): number | null =>
  price === null || price === 0 ? null : Number(price.toPrecision(7));
