import type { Bars } from "../../domain/market/bars.ts";
import type { Print } from "../../domain/off-exchange/prints.ts";
import { averageDayNotional, firstBarFrom, lastClose } from "./known.ts";

const MIN_NOTIONAL = 1e6;
const MIN_DAY_SHARE = 0.005;

/** A print that is large and priced by its moment. */
export interface Block {
  readonly print: Print;
  readonly notional: number;
  /** Notional in average days of the whole market's, as known before `from`. */
  readonly days: number;
  /** First bar that starts after the report; the number of bars if none does yet. */
  readonly from: number;
}

/** The prints that count at the last bar, by report: those worth $1M or .5% of an average day. */
export function blocksOf(prints: readonly Print[], bars: Bars): readonly Block[] {
  return blocksAmong(knownPrints(prints, bars), bars);
}

/**
 * What the tape truly says at the last bar, by report: prints known by its close, without a condition that makes
 * the price one of another moment, each once however often the tape repeats it, and none that was cancelled by then.
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

/** The large ones of known prints, ascending by report; none from before the first bar. Prices on the footing of the bars' adjustment. */
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

/** By report; what was reported at once goes by content, so that the order of the tape never matters. */
const byReport = (a: Print, b: Print): number =>
  a.reportedAt - b.reportedAt || a.price - b.price || a.size - b.size || (a.id < b.id ? -1 : 1);
