import { noSplitAt, suspectedSplits } from "../../analytics/backtest/splits.ts";
import { MIN_ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { afterSplits, describeSplit, mayHaveSplits } from "../../analytics/score/split-fault.ts";
import { describeBarGaps } from "../../domain/bar-gaps.ts";
import { type Bars, barLabel, type NoSplit } from "../../domain/market/bars.ts";
import type { BarSeries } from "../../domain/market/market.ts";
import { describeOmittedRows } from "../../domain/market/omitted-rows.ts";

/** Returns notes on the choice of files, on rows left out, on gaps in the bars and on changes like splits. */
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

const BASIS_TEXT = {
  declared: "the owner of the server declared that it is no split",
  file: "splits.csv lists it as no split",
  market: "the market moved alike at that time",
} as const satisfies Record<NoSplit["basis"], string>;

function splitNotes(bars: Bars): string[] {
  const notes: string[] = [];
  const found = suspectedSplits(bars);
  const newest = found.at(-1);
  if (newest !== undefined) {
    const more = found.length === 1 ? "" : ` ${found.length} such changes were found.`;
    notes.push(`${describeSplit(bars, newest)}: possibly an unadjusted split.${more}`);
  }
  if (bars.noSplits !== undefined)
    for (const change of suspectedSplits({ ...bars, noSplits: [] })) {
      const known = noSplitAt(bars, change.time);
      if (known !== undefined)
        notes.push(
          `${describeSplit(bars, change)}: taken as a real move, because ${BASIS_TEXT[known.basis]}.`,
        );
    }
  return notes;
}

/** Returns a note on the bars that odds read if they begin at a suspected split; none otherwise. */
export function oddsBarNotes({ bars }: Pick<BarSeries, "bars">): string[] {
  const read = afterSplits(bars, MIN_ODDS_BARS);
  return read === bars
    ? []
    : [
        `The odds read only the ${read.time.length} bars from ${barLabel(read.time[0]!, bars.timeframe)} on, because the bars before may be in another unit of price.`,
      ];
}
