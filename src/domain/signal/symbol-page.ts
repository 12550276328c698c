import { z } from "zod";
import { Figure, Iso } from "../answers.ts";
import { ReportHour } from "../earnings/earnings.ts";
import { Percent, Price } from "../figures.ts";
import { MarketState, PriceSource } from "../market/market.ts";
import { NewsRow } from "../news/news.ts";
import { ConvictionRow, Coverage, LevelRow } from "../off-exchange/darkpool.ts";
import { BarRow } from "../rows.ts";
import { SignalData } from "./signal-data.ts";

/** Price of a symbol with its change from one stated base: the close of the session before that of the price. */
export const PagePrice = z.object({
  price: Price.nullable().describe("Same price as in signal; null with price_reason"),
  price_source: PriceSource.nullable(),
  price_as_of: Iso.nullable(),
  price_reason: z.string().nullable(),
  market_state: MarketState,
  last_close: Price.nullable().describe("Close of the newest closed daily bar"),
  last_close_day: z.iso.date().nullable(),
  last_close_at: Iso.nullable(),
  change_of: z
    .enum(["price", "last_close"])
    .nullable()
    .describe("What changed: the price, or without one the last close; null without both"),
  previous_close: Price.nullable().describe("Base of change: close of the session before"),
  previous_close_day: z.iso
    .date()
    .nullable()
    .describe("null if the base is of a quote and differs from the daily bars"),
  previous_close_source: z.enum(["quote", "daily_bars"]).nullable(),
  change: Price.nullable(),
  change_percent: Percent.nullable(),
  reason: z.string().nullable().describe("Why there is no change"),
});
export type PagePrice = z.input<typeof PagePrice>;

/** Closed bars as get_history returns them. */
export const PageBars = z.object({
  rows: z.array(BarRow).describe("Closed bars, newest first"),
  count: z.number().int(),
  forming: BarRow.nullable().describe("The unfinished bar, which is not in rows"),
  next_as_of: Iso.nullable().describe("Pass as as_of to get older bars; null if there are none"),
  data_as_of: Iso,
  source: z.string(),
  venue: z.string(),
  adjustment: z.string(),
  omitted: z.string().nullable(),
});

/** Indicator values at the bars of a page. */
export const PageIndicators = z.object({
  columns: z.array(z.string()),
  values: z
    .array(z.array(z.number().nullable()))
    .describe("One row for each of bars.rows, in the order of columns; concise: of the newest bar only"),
});

/** Data of get_signal; with detail concise without structure and provenance. */
export const PageSignal = SignalData.partial({ wyckoff: true, elliott: true, provenance: true });
export type PageSignal = z.input<typeof PageSignal>;

/** A dated event of a symbol: an earnings report, a dividend, a split or a closure of the exchanges. */
export const SymbolEvent = z.object({
  kind: z.enum(["earnings", "dividend", "split", "holiday"]),
  date: z.iso.date(),
  hour: ReportHour.nullable(),
  confirmed: z.boolean().nullable().describe("false: estimated"),
  amount: Figure.describe("USD per share, or new shares per old share"),
  detail: z.string(),
});
export type SymbolEvent = z.input<typeof SymbolEvent>;

/** A headline as a mark on a chart. */
export const NewsMark = NewsRow.pick({ title: true, publisher: true, published_at: true, url: true });

export const OffExchangePart = z.object({
  levels: z.array(LevelRow).describe("Largest first"),
  conviction: ConvictionRow.nullable(),
  coverage: Coverage,
});
