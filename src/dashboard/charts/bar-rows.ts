import { fixed, price, whole } from "../views/format.ts";
import type { ChartBar, ChartIndicator } from "./chart-data.ts";

/** Returns the start of a bar: a date, or a date and time. */
export const barTime = ({ datetime }: ChartBar): string => datetime.replace("T", " ").slice(0, 16);

/** Returns bars as columns and rows of a table, newest first, with the indicators at each. */
export function barRows(bars: readonly ChartBar[], indicators: readonly ChartIndicator[] = []) {
  const rows = bars.map((bar, index) => [
    barTime(bar),
    price(bar.open),
    price(bar.high),
    price(bar.low),
    price(bar.close),
    whole(bar.volume),
    ...indicators.map(({ values }) => fixed(values[index], 2)),
  ]);
  const columns = ["Time", "Open", "High", "Low", "Close", "Volume", ...indicators.map(({ name }) => name)];
  return { columns, rows: rows.reverse() };
}
