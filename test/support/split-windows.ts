import { readFileSync } from "node:fs";
import { type Bars, barColumns } from "../../src/domain/market/bars.ts";

interface WrittenWindow {
  readonly symbol: string;
  readonly date: string;
  /** Shares after and before as the file writes them, the smaller first in a reverse split; null for a real move. */
  readonly split: string | null;
  readonly bars: readonly (readonly [string, number, number, number, number, number])[];
}

export interface SplitWindow {
  readonly symbol: string;
  readonly date: string;
  readonly ratio: string;
  readonly bars: Bars;
}

/** Reads the windows of 30 daily bars before and 3 from a price change: real moves, and splits in raw prices. */
export function splitWindows(file: string): Record<"noSplit" | "split", readonly SplitWindow[]> {
  const { no_split, split } = JSON.parse(readFileSync(file, "utf8")) as Record<
    string,
    readonly WrittenWindow[]
  >;
  return { noSplit: no_split!.map(windowOf), split: split!.map(windowOf) };
}

const windowOf = ({ symbol, date, split, bars }: WrittenWindow): SplitWindow => ({
  symbol,
  date,
  ratio: split ?? "none",
  bars: barColumns(
    bars.map(([day, open, high, low, close, volume]) => ({
      time: Date.parse(day),
      open,
      high,
      low,
      close,
      volume,
    })),
    { timeframe: "1d", adjustment: "unknown", zone: "America/New_York" },
  ),
});
