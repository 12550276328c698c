import type { Bars } from "../domain/market/bars.ts";
import type { RecentMoves } from "../domain/nightly/engine.ts";
import { rounded } from "../lib/rounded.ts";
import { hasSplitFault } from "./score/split-fault.ts";
import { mean } from "./statistics.ts";

const AVERAGE_CLOSES = 50;
const USUAL_VOLUMES = 20;
/** Number of closes of a sparkline. */
const LAST_CLOSES = 30;

/**
 * Returns the changes of the last close in percent over 1, 5, 20 and 60 bars, the last volume, its ratio to the mean of
 * the 20 bars before, and whether the close is above its 50-bar mean, with the close before and the last 30 closes, or
 * fewer if there are fewer bars. Null with too few bars, without volume, and over bars that may contain an unadjusted
 * split.
 */
export function recentMoves(bars: Bars): RecentMoves {
  const { close, volume } = bars;
  const last = close.length - 1;
  /** Returns true if `count` bars before the last one exist in one unit of price. */
  const isKnown = (count: number) => last >= count && !hasSplitFault(bars, last - count);
  const change = (sessions: number) =>
    isKnown(sessions) ? rounded(100 * (close[last]! / close[last - sessions]! - 1), 4) : null;
  const closes = close.subarray(-LAST_CLOSES);
  const usual = last >= USUAL_VOLUMES ? mean(volume.subarray(last - USUAL_VOLUMES, last)) : 0;
  return {
    returns: { "1d": change(1), "5d": change(5), "20d": change(20), "60d": change(60) },
    volume: volume[last]! > 0 ? volume[last]! : null,
    volume_ratio: volume[last]! > 0 && usual > 0 ? rounded(volume[last]! / usual, 2) : null,
    above_sma_50: isKnown(AVERAGE_CLOSES - 1)
      ? close[last]! > mean(close.subarray(last - AVERAGE_CLOSES + 1))
      : null,
    previous_close: isKnown(1) ? close[last - 1]! : null,
    closes: isKnown(closes.length - 1) ? [...closes] : null,
  };
}
