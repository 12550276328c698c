import { suspectedSplits } from "../../analytics/backtest/splits.ts";
import { describeSplit, mayHaveSplits } from "../../analytics/score/split-fault.ts";
import { describeBarGaps } from "../../domain/bar-gaps.ts";
import type { BarSeries } from "../../domain/market/market.ts";
import { describeOmittedRows } from "../../domain/market/omitted-rows.ts";

/** Returns notes on the choice of files, on rows left out, on gaps in the bars and on suspected unadjusted splits. */
export function barNotes({
  bars,
  omitted = [],
  chosen,
}: Pick<BarSeries, "bars" | "omitted" | "chosen">): string[] {
  const hole = describeBarGaps(bars);
  const leftOut = describeOmittedRows(omitted, bars.timeframe);
  return [
    ...(chosen === undefined ? [] : [chosen]),
    ...(leftOut === null ? [] : [leftOut]),
    ...(hole === null ? [] : [`The bars have a gap: ${hole}. Averages and returns span it.`]),
    ...(mayHaveSplits(bars) ? splitNotes(bars) : []),
  ];
}

function splitNotes(bars: BarSeries["bars"]): string[] {
  const found = suspectedSplits(bars);
  const newest = found.at(-1);
  if (newest === undefined) return [];
  const more = found.length === 1 ? "" : ` ${found.length} such changes were found.`;
  return [`${describeSplit(bars, newest)}: possibly an unadjusted split.${more}`];
}
