import { type Bars, mapColumns, type SessionZone } from "../../domain/market/bars.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { canonicalOf } from "../../market/symbols/directory.ts";
import type { Listings } from "../../market/symbols/listings.ts";
import { splitLine } from "./csv.ts";

/** File of known splits at the top of the folder. */
export const SPLITS_FILE = "splits.csv";
const HEADER = "symbol,date,ratio";
const DAY = 86_400_000;

/** One split of a symbol. */
export interface Split {
  /** 00:00 UTC of the date of the first session at the new price, epoch ms. */
  readonly date: number;
  /** Shares after it for each share before it; below 1 for a reverse split. */
  readonly factor: number;
}

/**
 * Reads the known splits by symbol from lines such as `AAPL,2020-08-31,4:1`, shares after and before. @throws SetupError
 * for a line that is not one, and for a second split of a symbol on a date
 */
export function readSplits(text: string, listings: Listings): ReadonlyMap<string, readonly Split[]> {
  const splits = new Map<string, Split[]>();
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
    if (symbol === undefined || rest.length > 0 || date === null || !(factor > 0 && Number.isFinite(factor)))
      throw refuse(i + 2, line, "is not a split such as AAPL,2020-08-31,4:1 (shares after:before)");
    const own = splits.get(symbol) ?? [];
    if (own.some((split) => split.date === date))
      throw refuse(i + 2, line, "is the second split of this symbol on this date");
    own.push({ date, factor });
    splits.set(symbol, own);
  }
  return splits;
}

/** Returns 00:00 UTC of a date, epoch ms; null if it is not one of the calendar. */
function dateOf(text: string): number | null {
  const date = new Date(`${text}T00:00:00.000Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : date.getTime();
}

/** Returns the splits whose session has begun by an instant (epoch ms). */
export const splitsUntil = (splits: readonly Split[], until: number, zone: SessionZone): readonly Split[] =>
  splits.filter(({ date }) => date <= dayOf(until, zone));

/** Returns bars with the prices before each split divided by its factor and the volumes multiplied. */
export function adjustForSplits(bars: Bars, splits: readonly Split[]): Bars {
  if (splits.length === 0) return bars;
  const { timeframe, zone } = bars;
  const factors = Float64Array.from(bars.time, (at) => {
    const day = timeframe === "1d" ? at : dayOf(at, zone);
    return splits.reduce((product, { date, factor }) => (day < date ? product * factor : product), 1);
  });
  return mapColumns(bars, (column, name) => {
    if (name === "time") return column;
    return column.map((value, i) => (name === "volume" ? value * factors[i]! : value / factors[i]!));
  });
}

/** Returns 00:00 UTC of the date that an instant has in a zone, epoch ms. */
const dayOf = (at: number, zone: SessionZone): number =>
  zone === "UTC" ? Math.floor(at / DAY) * DAY : newYorkDay(at);
