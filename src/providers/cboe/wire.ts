import { z } from "zod";
import {
  type ProviderBar,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { parseNewYorkTime } from "../shared/timestamps.ts";

/** A number, or one written as text. */
export const Figure = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,20}(\.\d{1,20})?$/)
    .transform(Number),
]);
/** 0 stands for no price. */
export const PriceOrNone = Figure.refine((price) => price >= 0)
  .nullish()
  .transform((price) => (price === undefined || price === 0 ? null : price));
/** Never less than 0, and 0 is 0. */
export const FigureOrNone = Figure.refine((figure) => figure >= 0)
  .nullish()
  .transform((figure) => figure ?? null);
/** What New York's clock showed, without saying so; null where nothing traded. */
export const TimeOrNone = z
  .string()
  .nullish()
  .transform((text) => (typeof text === "string" ? parseNewYorkTime(text) : null));

/** What it knows of a stock or fund; an index says so. */
export const Header = z.object({
  symbol: z.string(),
  security_type: z.string().refine((type) => type !== "index"),
  current_price: PriceOrNone,
  last_trade_time: TimeOrNone,
});

export const Quote = z.object({
  symbol: z.string(),
  data: Header.extend({
    prev_day_close: PriceOrNone,
    open: PriceOrNone,
    high: PriceOrNone,
    low: PriceOrNone,
    volume: FigureOrNone,
  }),
});

/** The whole life of a listing, oldest first. Days before it was listed are 0 throughout. */
export const History = z.object({
  symbol: z.string(),
  data: z.array(
    z.object({
      date: z.iso.date(),
      open: PriceOrNone,
      high: PriceOrNone,
      low: PriceOrNone,
      close: PriceOrNone,
      volume: FigureOrNone,
    }),
  ),
});

/** The last trade with its day. Throws ProviderFailure "malformed" where there is no trade, or no time of it. */
export function quoteOf({ symbol, data }: z.infer<typeof Quote>): ProviderQuote {
  const { current_price: price, last_trade_time: tradedAt } = data;
  if (data.symbol !== symbol || price === null || tradedAt === null)
    throw new ProviderFailure("malformed", "a price without its trade");
  return {
    price,
    tradedAt,
    previousClose: data.prev_day_close,
    open: data.open,
    high: data.high,
    low: data.low,
    volume: data.volume,
    volumeScope: "all_venues",
    venue: "US",
  };
}

/** One row as a bar. */
export const barOf = ({ date, ...figures }: z.infer<typeof History>["data"][number]): ProviderBar => ({
  time: Date.parse(date),
  ...figures,
});
