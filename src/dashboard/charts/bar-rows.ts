import { price } from "../views/format.ts";
import type { ChartBar, ChartIndicator } from "./chart-data.ts";

/** Returns bars as columns and rows of a table, newest first, with the indicators at each. */
export function barRows(bars: readonly ChartBar[], indicators: readonly ChartIndicator[] = []) {
  const rows = bars.map((bar, index) => [
    bar.datetime.replace("T", " ").slice(0, 16),
    price(bar.open),
    price(bar.high),
    price(bar.low),
    price(bar.close),
    bar.volume === null ? "–" : Math.round(bar.volume).toLocaleString("en-US"),
    ...indicators.map(({ values }) => values[index]?.toFixed(2) ?? "–"),
  ]);
  const columns = ["Time", "Open", "High", "Low", "Close", "Volume", ...indicators.map(({ name }) => name)];
  return { columns, rows: rows.reverse() };
}
