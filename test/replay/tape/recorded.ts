import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import type { Listings } from "../../../src/market/symbols/listings.ts";
import { COIN_PARTS, type DayCandle } from "./candle.ts";

const DECIMALS = 8;

/** Real daily bars by canonical symbol, oldest first, each file read when first asked for; null where there is no file. */
export function recordings(
  folder: string | null,
  listings: Listings,
): (instrument: Instrument) => readonly DayCandle[] | null {
  const files = folder === null ? new Map<string, string>() : filesOf(folder, listings);
  return ({ symbol, asset_class }) => {
    const file = files.get(symbol);
    if (file === undefined) return null;
    const parts = asset_class === "crypto" ? COIN_PARTS : 1;
    return readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => candleOf(line, parts));
  };
}

/** Of several files of one instrument the first by name is taken. */
function filesOf(folder: string, listings: Listings): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of ["us_daily", "crypto_daily"])
    for (const file of readdirSync(join(folder, part)).sort().reverse()) {
      const [, name] = /^([A-Z0-9-]+?)(?:_.*)?\.csv$/.exec(file) ?? [];
      const symbol = name === undefined ? undefined : canonicalOf(name, listings)?.symbol;
      if (symbol !== undefined && !/2014/.test(file)) found.set(symbol, join(folder, part, file));
    }
  return found;
}

/** A line `date,open,high,low,close,volume` in the units of its own decimals. */
function candleOf(line: string, parts: number): DayCandle {
  const [, open = "", high = "", low = "", close = "", volume = ""] = line.split(",");
  const decimals = Math.max(2, ...[open, high, low, close].map((text) => text.split(".")[1]?.length ?? 0));
  const scale = 10 ** Math.min(DECIMALS, decimals);
  const [o, h, l, c] = [open, high, low, close].map((text) => Math.round(Number(text) * scale)) as [
    number,
    number,
    number,
    number,
  ];
  const [top, bottom] = [Math.max(o, h, l, c), Math.min(o, h, l, c)];
  return {
    open: o,
    high: top,
    low: bottom,
    close: c,
    volume: Math.round(Number(volume) * parts),
    // what a day's range tells of its spread: Parkinson (1980)
    spread: (top - bottom) / (2 * Math.sqrt(Math.LN2)),
    scale,
    parts,
  };
}
