import type { Adjustment, Bars } from "../../domain/market/bars.ts";
import { barLabel, sliceBars } from "../../domain/market/bars.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { type SuspectedSplit, suspectedSplits } from "../backtest/splits.ts";

/** Adjustments that correct prices for splits. */
const CORRECTED: ReadonlySet<Adjustment> = new Set(["split", "total_return"]);

/** Returns true if prices before a split may be in other units than those after it. */
export const mayHaveSplits = ({ adjustment }: Pick<Bars, "adjustment">): boolean =>
  !CORRECTED.has(adjustment);

/**
 * Returns true if the bars from `start` (inclusive, default: the first) to `end` (exclusive, default: all) may contain
 * an unadjusted split, so that returns over them may be wrong.
 */
export const hasSplitFault = (bars: Bars, start = 0, end = bars.time.length): boolean =>
  mayHaveSplits(bars) && suspectedSplits(sliceBars(bars, start, end)).length > 0;

/** Returns why bars give no signal when they may contain an unadjusted split; null if there is no sign of one. */
export function splitFault(bars: Bars): string | null {
  const newest = mayHaveSplits(bars) ? suspectedSplits(bars).at(-1) : undefined;
  return newest === undefined
    ? null
    : `${describeSplit(bars, newest)}: possibly an unadjusted split. There is a signal once the bars are adjusted for it or begin after it`;
}

/** Factors within which a change by 100 lies with an overnight move: that of cents or pence in place of dollars or pounds. */
const HUNDRED = { least: 80, most: 125 } as const;

/** Describes the price change of a suspected split, with the ratio or the change of unit that it resembles. */
export function describeSplit(bars: Bars, { index, ratio, time }: SuspectedSplit): string {
  const [before, after] = [bars.close[index - 1]!, bars.open[index]!];
  const verb = after < before ? "fell" : "rose";
  const factor = Math.max(before / after, after / before);
  const isUnit = factor >= HUNDRED.least && factor <= HUNDRED.most;
  const unit = isUnit ? ", or to a change of unit by 100 times, such as between dollars and cents" : "";
  return `The price ${verb} from ${formatPrice(before)} to ${formatPrice(after)} at the open of the bar of ${barLabel(time, bars.timeframe)}, close to ${ratio}${unit}`;
}
