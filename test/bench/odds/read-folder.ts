import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { suspectedSplits } from "../../../src/analytics/backtest/splits.ts";
import { splitFault } from "../../../src/analytics/score/split-fault.ts";
import { type Bar, type Bars, barColumns, sliceBars } from "../../../src/domain/market/bars.ts";
import { isoDate } from "../../../src/lib/iso-date.ts";
import type { OddsBenchOptions } from "./options.ts";

const HEAD = ["date", "open", "high", "low", "close", "volume"] as const;
/** Share of wrong rows above which a file is skipped. */
const MAX_WRONG = 0.01;
const DATE = /^\d{4}-\d{2}-\d{2}(?=$|[ T])/;
/** Share of weekend dates above which a file is of a coin. */
const COIN_WEEKENDS = 0.2;
/** Relative distance by which open and close may lie outside low to high: rounding of adjusted prices. */
const TOLERANCE = 1e-3;

/** Index of the first bar at which there is a forecast. */
export const FIRST_BAR = 500;
/** Bars of the shortest forecast, which must have an outcome. */
const MIN_BARS = FIRST_BAR + 1 + 5;

export type OddsClass = "equity" | "crypto";

export interface DailyFile {
  /** Name of the file without `.csv`. */
  readonly symbol: string;
  readonly assetClass: OddsClass;
  /** True for an exchange-traded fund by the list of US listings; false for others and without the list. */
  readonly isFund: boolean;
  readonly bars: Bars;
  /** What was left out of the file, one sentence each. */
  readonly notes: readonly string[];
}

export interface DailyFolder {
  readonly files: readonly DailyFile[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

interface ReadOptions extends Pick<OddsBenchOptions, "assetClass" | "isAdjusted"> {
  /** Symbols of exchange-traded funds. Default: none. */
  readonly funds?: ReadonlySet<string>;
}

/**
 * Reads the daily files of a folder, in the order of their names; sub-folders are not read.
 * @throws Error if there is no such folder
 */
export function readDailyFiles(folder: string, options: ReadOptions): DailyFolder {
  const files: DailyFile[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const read = dailyFile(name, readFileSync(path, "utf8"), options);
    if (typeof read === "string") skipped.push({ name, reason: read });
    else files.push(read);
  }
  return { files, skipped };
}

/** Returns the bars of the text of a file, or why it is skipped. */
export function dailyFile(name: string, text: string, options: ReadOptions): DailyFile | string {
  const [head = "", ...lines] = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split(/\r?\n/);
  const names = cellsOf(head).map((cell) => cell.toLowerCase());
  const places = HEAD.map((column) => names.indexOf(column));
  if (places.includes(-1)) return `no table with the columns ${HEAD.join(",")}`;
  const cells = lines.map((line, i) => {
    const all = cellsOf(line);
    return { line: i + 2, cells: places.map((place) => all[place] ?? "") };
  });
  const isNewestFirst = cells.length > 1 && cells[0]!.cells[0]! > cells.at(-1)!.cells[0]!;
  const rows: Bar[] = [];
  const wrong: string[] = [];
  for (const { line, cells: row } of isNewestFirst ? cells.toReversed() : cells) {
    const bar = barOf(row, rows.at(-1));
    if (typeof bar === "string") wrong.push(`line ${line}: ${bar}`);
    else rows.push(bar);
  }
  if (wrong.length > MAX_WRONG * lines.length) return wrong[0]!;
  const notes = wrong.length === 0 ? [] : [`wrong rows left out: ${wrong.length}, the first in ${wrong[0]}`];
  if (rows.length < MIN_BARS) return `${rows.length} bars, at least ${MIN_BARS} are needed`;
  const assetClass = options.assetClass ?? classOf(rows.map(({ time }) => time));
  const bars = barColumns(rows, {
    timeframe: "1d",
    adjustment: options.isAdjusted ? "split" : "unknown",
    zone: assetClass === "crypto" ? "UTC" : "America/New_York",
  });
  const symbol = name.replace(/\.csv$/i, "");
  const isFund = assetClass !== "crypto" && (options.funds?.has(symbol) ?? false);
  const fault = assetClass === "crypto" ? null : splitFault(bars);
  if (fault === null) return { symbol, assetClass, isFund, bars, notes };
  const found = fault.replace(/\. There is .*/, "");
  const after = sliceBars(bars, suspectedSplits(bars).at(-1)!.index);
  if (after.time.length < MIN_BARS) return found;
  return {
    symbol,
    assetClass,
    isFund,
    bars: after,
    notes: [...notes, `${found}; only bars from there on are scored`],
  };
}

const cellsOf = (line: string): readonly string[] =>
  line.split(",").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));

/** Returns the asset class of daily times, epoch ms: coins also trade at weekends. */
export function classOf(times: readonly number[]): OddsClass {
  const weekends = times.filter((time) => [0, 6].includes(new Date(time).getUTCDay())).length;
  return weekends > COIN_WEEKENDS * times.length ? "crypto" : "equity";
}

/** Returns the bar of a row, or what is wrong with it. */
function barOf(cells: readonly string[], before: Bar | undefined): Bar | string {
  const [day] = DATE.exec(cells[0]!) ?? [];
  const time = day === undefined ? Number.NaN : Date.parse(day);
  if (Number.isNaN(time) || isoDate(time) !== day) return `no date: ${cells[0]!.slice(0, 20)}`;
  if (before !== undefined && time <= before.time) return `${day} is not after the date before it`;
  const [open, high, low, close] = cells.slice(1, 5).map(positive);
  const volume = Number(cells[5] ?? "");
  if (open === undefined || high === undefined || low === undefined || close === undefined)
    return `${day} lacks a price above 0`;
  if (!(volume >= 0 && volume < Number.POSITIVE_INFINITY)) return `${day} has a wrong volume`;
  const isInside = [open, close].every(
    (price) => price <= high * (1 + TOLERANCE) && price >= low * (1 - TOLERANCE),
  );
  if (high < low || !isInside) return `the prices of ${day} are not between its low and its high`;
  return { time, open, high, low, close, volume };
}

function positive(cell: string): number | undefined {
  const price = Number(cell);
  return price > 0 && price < Number.POSITIVE_INFINITY ? price : undefined;
}
