import type { Bars } from "../../domain/market/bars.ts";
import type { Print } from "../../domain/off-exchange/prints.ts";
import { averageDayNotional, firstBarFrom, lastClose } from "./session-close.ts";

const MIN_NOTIONAL = 1e6;
const MIN_DAY_SHARE = 0.005;

/** A large print at a current price. */
export interface Block {
  readonly print: Print;
  readonly notional: number;
  /** Notional as a multiple of the average daily notional known before `from`. */
  readonly days: number;
  /** Index of the first bar that starts at or after the report; the number of bars if none does yet. */
  readonly from: number;
}

/**
 * Returns the large prints known at the last bar, ascending by report time: at least $1M or .5% of an average day's
 * notional.
 */
export function blocksOf(prints: readonly Print[], bars: Bars): readonly Block[] {
  return blocksAmong(knownPrints(prints, bars), bars);
}

/**
 * Returns the valid prints known at the close of the last bar, ascending by report time. Excludes prints with any
 * condition (their price may be from another time), cancelled prints and repeats of an id.
 */
export function knownPrints(prints: readonly Print[], bars: Bars): readonly Print[] {
  const close = lastClose(bars);
  const priced: Print[] = [];
  const done = new Set<string>();
  for (const print of prints) {
    if (!(print.reportedAt <= close)) continue;
    if (print.conditions.includes("cancelled")) done.add(print.id);
    else if (print.conditions.length === 0 && print.price > 0 && print.size > 0) priced.push(print);
  }
  return priced.sort(byReport).filter(({ id }) => !done.has(id) && done.add(id));
}

/**
 * Returns the large prints among known ones, ascending by report; prints before the first bar are excluded. Prices must
 * have the same split adjustment as the bars.
 */
export function blocksAmong(known: readonly Print[], bars: Bars): readonly Block[] {
  const average = averageDayNotional(bars);
  const blocks: Block[] = [];
  let from = 0;
  let day = Number.NaN;
  for (const print of known) {
    const notional = print.price * print.size;
    const before = from;
    from = firstBarFrom(bars, print.reportedAt, before);
    if (from !== before) day = average(from - 1);
    const days = notional / day;
    if (from > 0 && (notional >= MIN_NOTIONAL || days >= MIN_DAY_SHARE) && Number.isFinite(days))
      blocks.push({ print, notional, days, from });
  }
  return blocks;
}

/** Compares by report time, then by content, so that the order of the tape does not matter. */
const byReport = (a: Print, b: Print): number =>
  a.reportedAt - b.reportedAt || a.price - b.price || a.size - b.size || (a.id < b.id ? -1 : 1);
