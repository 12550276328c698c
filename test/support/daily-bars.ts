import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bars } from "../../src/domain/market/bars.ts";

/** Daily bars of one `date,open,high,low,close,volume` file. */
export function readDailyBars(file: string, zone: Bars["zone"] = "America/New_York"): Bars {
  const rows = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  const column = (index: number) => Float64Array.from(rows, (row) => Number(row[index]));
  return {
    time: Float64Array.from(rows, (row) => Date.parse(row[0]!)),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
    timeframe: "1d",
    adjustment: "split",
    zone,
  };
}

/** Every file of a folder of daily bars, by symbol. */
export const readDailyFolder = (folder: string): ReadonlyMap<string, Bars> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".csv"))
      .map((name) => [name.slice(0, -4), readDailyBars(join(folder, name))]),
  );
