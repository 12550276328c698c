import { bollinger } from "../indicators/bollinger.ts";
import { choppiness } from "../indicators/choppiness.ts";
import { type DriverContext, lastCloses } from "./context.ts";
import { absent, clip, type DriverValue, insufficientBars, present } from "./driver-value.ts";
import { last, midRank, tail } from "./window.ts";

/** Minimum number of values for a percentile within a symbol's own history. */
const MIN_RANKED = 126;

/** Returns the three volatility drivers at the decision bar, in table order. */
export const volatilityDrivers = (context: DriverContext): readonly DriverValue[] => [
  squeeze(context),
  lowVolatility(context),
  choppy(context),
];

function squeeze(context: DriverContext): DriverValue {
  const { n, year } = context;
  const needed = MIN_RANKED + 19;
  if (n < needed) return insufficientBars("x_squeeze", needed, n);
  const { percentB, width } = bollinger(lastCloses(context, year + 19), 20, 2);
  const widths = width.subarray(19);
  const rank = midRank(widths, last(widths));
  const position = last(percentB);
  const value = clip(2 * position - 1) * (1 - rank);
  return present("x_squeeze", value, { percent_b: position, width: last(widths), width_rank: rank });
}

function lowVolatility({ n, atrShare }: DriverContext): DriverValue {
  const needed = MIN_RANKED + 14;
  if (n < needed) return insufficientBars("x_lowvol", needed, n);
  const own = last(atrShare);
  const rank = midRank(atrShare, own);
  return present("x_lowvol", 1 - 2 * rank, { atr_share: own, atr_rank: rank });
}

function choppy({ bars, n, close }: DriverContext): DriverValue {
  if (n < 15) return insufficientBars("x_chop", 15, n);
  const chop14 = last(choppiness(tail(bars.high, 15), tail(bars.low, 15), tail(bars.close, 15), 14));
  if (Number.isNaN(chop14)) return absent("x_chop", "High and low of 14 bars are equal");
  const before = bars.close[n - 15]!;
  const value = Math.sign(close - before) * clip((61.8 - chop14) / 23.6);
  return present("x_chop", value, { chop14, close, close_14_ago: before });
}
