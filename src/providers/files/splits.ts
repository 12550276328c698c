import { type Bars, mapColumns, type NoSplit, type SessionZone } from "../../domain/market/bars.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { canonicalOf } from "../../market/symbols/directory.ts";
import type { Listings } from "../../market/symbols/listings.ts";
import { splitLine } from "./csv.ts";

/** File of known splits at the top of the folder. */
export const SPLITS_FILE = "splits.csv";
const HEADER = "symbol,date,ratio";
const DAY = 86_400_000;

/** Stands for all symbols of the folder in a line that marks prices as adjusted. */
const ALL = "*";
const ADJUSTED = "adjusted";

/** One split of a symbol. */
export interface Split {
  /** 00:00 UTC of the date of the first session at the new price, epoch ms. */
  readonly date: number;
  /** Shares after it for each share before it; below 1 for a reverse split, 1 for a price change that is no split. */
  readonly factor: number;
}

/** Content of the file of known splits. */
export interface KnownSplits {
  readonly bySymbol: ReadonlyMap<string, readonly Split[]>;
  /** Returns true if the prices of a symbol are marked as adjusted for all splits. */
  isAdjusted(symbol: string): boolean;
  /** All symbols with a line of their own. */
  readonly symbols: readonly string[];
}

/**
 * Reads the known splits by symbol from lines such as `AAPL,2020-08-31,4:1`, shares after and before, `AAPL,2020-03-16,1:1`
 * for a price change that is no split, and `AAPL,adjusted` or `*,adjusted` for prices that are adjusted for all splits.
 * @throws SetupError for any other line, for a second split of a symbol on a date, and for a split of adjusted prices
 */
export function readSplits(text: string, listings: Listings): KnownSplits {
  const splits = new Map<string, Split[]>();
  const adjusted = new Map<string, number>();
  const [header = "", ...lines] = text.split(/\r?\n/);
  const refuse = (line: number, found: string, why: string): SetupError =>
    new SetupError(`${SPLITS_FILE}, line ${line}: ${JSON.stringify(found.slice(0, 80))} ${why}`);
  if (header.trim().toLowerCase() !== HEADER) throw refuse(1, header, `is not the header ${HEADER}`);
  for (const [i, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const [name = "", written = "", ratio = "", ...rest] = splitLine(line, ",");
    const [, after, before] = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(ratio) ?? [];
    const factor = Number(after) / Number(before);
    const date = dateOf(written);
    const symbol = canonicalOf(name, listings)?.symbol;
    if (written.trim().toLowerCase() === ADJUSTED) {
      const marked = name.trim() === ALL ? ALL : symbol;
      if (marked === undefined || [ratio, ...rest].some((cell) => cell.trim() !== ""))
        throw refuse(i + 2, line, "does not mark prices as adjusted, as AAPL,adjusted or *,adjusted do");
      adjusted.set(marked, i + 2);
      continue;
    }
    if (symbol === undefined || rest.length > 0 || date === null || !(factor > 0 && Number.isFinite(factor)))
      throw refuse(
        i + 2,
        line,
        "is not a split such as AAPL,2020-08-31,4:1 (shares after:before), nor AAPL,adjusted",
      );
    const own = splits.get(symbol) ?? [];
    if (own.some((split) => split.date === date))
      throw refuse(i + 2, line, "is the second split of this symbol on this date");
    own.push({ date, factor });
    splits.set(symbol, own);
  }
  for (const [symbol, own] of splits) {
    const line = adjusted.get(symbol) ?? adjusted.get(ALL);
    if (line !== undefined && own.some(({ factor }) => factor !== 1))
      throw refuse(line, lines[line - 2]!, `contradicts the split of ${symbol} that this file lists`);
  }
  return {
    bySymbol: splits,
    isAdjusted: (symbol) => adjusted.has(ALL) || adjusted.has(symbol),
    symbols: [...new Set([...splits.keys(), ...adjusted.keys()])].filter((symbol) => symbol !== ALL),
  };
}

/** Returns 00:00 UTC of a date, epoch ms; null if it is not one of the calendar. */
export function dateOf(text: string): number | null {
  const date = new Date(`${text}T00:00:00.000Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : date.getTime();
}

/** Returns the splits whose session has begun by an instant (epoch ms). */
export const splitsUntil = (splits: readonly Split[], until: number, zone: SessionZone): readonly Split[] =>
  splits.filter(({ date }) => date <= dayOf(until, zone));

/**
 * Returns bars with the prices before each split divided by its factor and the volumes multiplied; a factor of 1 marks a
 * change that is no split.
 */
export function adjustForSplits(bars: Bars, splits: readonly Split[]): Bars {
  if (splits.length === 0) return bars;
  const { timeframe, zone } = bars;
  const factors = Float64Array.from(bars.time, (at) => {
    const day = timeframe === "1d" ? at : dayOf(at, zone);
    return splits.reduce((product, { date, factor }) => (day < date ? product * factor : product), 1);
  });
  const noSplits = splits.flatMap(({ date, factor }): NoSplit[] =>
    factor === 1 ? [{ date, basis: "file" }] : [],
  );
  const adjusted = mapColumns(bars, (column, name) => {
    if (name === "time") return column;
    return column.map((value, i) => (name === "volume" ? value * factors[i]! : value / factors[i]!));
  });
  return noSplits.length === 0 ? adjusted : { ...adjusted, noSplits };
}

/** Returns 00:00 UTC of the date that an instant has in a zone, epoch ms. */
const dayOf = (at: number, zone: SessionZone): number =>
  zone === "UTC" ? Math.floor(at / DAY) * DAY : newYorkDay(at);
