import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { EpochSeconds, Price } from "../shared/fields.ts";

/** A slot without a trade is null. */
const Slots = z.array(z.number().nonnegative().nullable());

const Meta = z.object({
  symbol: z.string(),
  currency: z.string(),
  instrumentType: z.string(),
  regularMarketPrice: Price,
  regularMarketTime: EpochSeconds,
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
  /** Missing if no bar lies in the range. */
  timestamp: z.array(EpochSeconds).optional(),
  indicators: z.object({ quote: z.tuple([Columns], z.unknown()) }),
});

/** A chart, or an error. */
export const Chart = z.object({
  chart: z.object({
    result: z.array(Result).nullable(),
    error: z.object({ description: z.string().nullish() }).nullable(),
  }),
});
export type ChartResult = z.infer<typeof Result>;

/** One slot of a chart. Prices are rounded to seven digits, because they were stored in 32 bits; a price of 0 is null. */
export interface Slot {
  /** Epoch ms. */
  readonly at: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly volume: number | null;
}

/** Slots of a chart in their order. @throws ProviderFailure "malformed" for columns of different lengths */
export function slotsOf({ timestamp = [], indicators }: ChartResult): readonly Slot[] {
  const [columns] = indicators.quote;
  const { open = [], high = [], low = [], close = [], volume = [] } = columns;
  if ([open, high, low, close, volume].some((column) => column.length !== timestamp.length))
    throw new ProviderFailure("malformed", "columns of different lengths");
  return timestamp.map((at, i) => ({
    at,
    open: sevenDigits(open[i]!),
    high: sevenDigits(high[i]!),
    low: sevenDigits(low[i]!),
    close: sevenDigits(close[i]!),
    volume: volume[i]!,
  }));
}

const sevenDigits = (price: number | null): number | null =>
  price === null || price === 0 ? null : Number(price.toPrecision(7));
