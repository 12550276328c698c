import { z } from "zod";

const Price = z.number().positive();
const Seconds = z.number().int().positive();
/** A slot that nothing has traded in yet is null. */
const Slots = z.array(z.number().nullable());
const Period = z.object({ start: Seconds, end: Seconds });

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
  previousClose: Price.nullish(),
  /** Close before the range that was asked for. */
  chartPreviousClose: Price.nullish(),
  currentTradingPeriod: z.object({ regular: Period }),
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
  chart: z.object({ result: z.array(Result).nullable(), error: z.object({}).nullable() }),
});
export type ChartResult = z.infer<typeof Result>;

/** One slot of a chart; prices as they were before they were kept in 32 bits, which hold seven digits. */
export interface Slot {
  /** Epoch ms. */
  readonly at: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly volume: number | null;
}

/** Columns as slots, in the order they came in. Null where the columns do not fit together. */
export function slotsOf({ timestamp = [], indicators }: ChartResult): readonly Slot[] | null {
  const [columns] = indicators.quote;
  const { open = [], high = [], low = [], close = [], volume = [] } = columns;
  if ([open, high, low, close, volume].some((column) => column.length !== timestamp.length)) return null;
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
  price === null ? null : Number(price.toPrecision(7));
