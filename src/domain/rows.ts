import { z } from "zod";
import { type Bar, type Bars, type BarTimeframe, barLabel, hasDateLabel } from "./market/bars.ts";

/** One bar as callers see it; a daily bar's datetime is its session date, a weekly bar's its Monday. */
export const BarRow = z.object({
  datetime: z
    .string()
    .describe("Bar start: a date for daily bars, the Monday of weekly bars, else ISO 8601 UTC"),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});
export type BarRow = z.infer<typeof BarRow>;

export const barRow = ({ time, ...figures }: Bar, timeframe: BarTimeframe): BarRow => ({
  datetime: barLabel(time, timeframe),
  ...figures,
});

/** Returns the bars as rows, newest first. */
export function newestFirst({ time, open, high, low, close, volume, timeframe }: Bars): BarRow[] {
  const rows: BarRow[] = [];
  for (let i = time.length - 1; i >= 0; i--)
    rows.push({
      datetime: barLabel(time[i]!, timeframe),
      open: open[i]!,
      high: high[i]!,
      low: low[i]!,
      close: close[i]!,
      volume: volume[i]!,
    });
  return rows;
}

/**
 * Returns the bars as CSV text in the format of the `files` market, oldest first: dates for daily and weekly bars,
 * else ISO 8601 UTC.
 */
export function csvOf(bars: Bars): string {
  const rows = newestFirst(bars).reverse();
  const head = hasDateLabel(bars.timeframe) ? "date" : "datetime";
  return [
    `${head},open,high,low,close,volume`,
    ...rows.map(({ datetime, open, high, low, close, volume }) =>
      [datetime, open, high, low, close, volume].join(","),
    ),
    "",
  ].join("\n");
}

/** Returns the file name for that CSV text in the `files` market: `AAPL.csv`, `BTC-USD_4h.csv`. */
export const csvName = (symbol: string, timeframe: BarTimeframe): string =>
  `${symbol.replaceAll("/", "-")}${timeframe === "1d" ? "" : `_${timeframe}`}.csv`;
