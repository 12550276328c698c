import { suspectedSplits } from "../../analytics/backtest/splits.ts";
import { describeBarGaps } from "../../domain/bar-gaps.ts";
import type { Adjustment } from "../../domain/market/bars.ts";
import type { BarSeries } from "../../domain/market/market.ts";
import { barLabel } from "../../domain/rows.ts";
import { formatPrice } from "../../lib/format-price.ts";

/** Adjustments that correct prices for splits. */
const CORRECTED: ReadonlySet<Adjustment> = new Set(["split", "total_return"]);

/** Returns notes on gaps in the bars and on suspected unadjusted splits. */
export function barNotes({ bars, adjustment }: Pick<BarSeries, "bars" | "adjustment">): string[] {
  const hole = describeBarGaps(bars);
  return [
    ...(hole === null ? [] : [`The bars have a gap: ${hole}. Averages and returns span it.`]),
    ...(CORRECTED.has(adjustment) ? [] : splitNotes(bars)),
  ];
}

function splitNotes(bars: BarSeries["bars"]): string[] {
  const found = suspectedSplits(bars);
  const newest = found.at(-1);
  if (newest === undefined) return [];
  const { index, ratio, time } = newest;
  const [before, after] = [bars.close[index - 1]!, bars.open[index]!];
  const more = found.length === 1 ? "" : ` ${found.length} such changes were found.`;
  return [
    `The price ${after < before ? "fell" : "rose"} from ${formatPrice(before)} to ${formatPrice(after)} at the open of the bar of ${barLabel(time, bars.timeframe)}, close to ${ratio}: possibly an unadjusted split.${more}`,
  ];
}
