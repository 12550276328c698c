import { z } from "zod";

/** A price of 0 is none. */
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
/** In UTC or New York's time, with up to nine digits of a second. */
const Instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** The newest state of one ticker, in capitals. Of trades on IEX nothing is told without an agreement with IEX. */
export const TopOfBook = z.array(
  z.object({
    ticker: z.string(),
    /** When any of it changed; of the closing print, the close itself. */
    timestamp: Instant,
    last: PriceOrNone,
    lastSaleTimestamp: Instant.nullish(),
    quoteTimestamp: Instant.nullish(),
    /** The newest trade, or the middle of bid and ask; the official close once that is known. */
    tngoLast: PriceOrNone,
    prevClose: PriceOrNone,
    open: PriceOrNone,
    high: PriceOrNone,
    low: PriceOrNone,
    volume: VolumeOrNone,
  }),
);
export type TopOfBook = z.infer<typeof TopOfBook>[number];

const Row = z.object({
  date: Instant,
  open: PriceOrNone,
  high: PriceOrNone,
  low: PriceOrNone,
  close: PriceOrNone,
  volume: VolumeOrNone,
});

/** Parts of sessions by their start. */
export const Intraday = z.array(Row);

/** New shares for one old from this day on; 1 on most. */
const Split = z.object({ date: Instant, splitFactor: z.number().positive() });
export const Splits = z.array(Split);
export type Split = z.infer<typeof Split>;

/** Days at 00:00 UTC of their date; prices and volumes as they were then. */
export const Daily = z.array(Row.extend(Split.shape));
