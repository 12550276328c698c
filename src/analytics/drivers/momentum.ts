import type { DriverContext } from "./context.ts";
import { absent, clip, type DriverValue, insufficientBars, present } from "./driver-value.ts";
import type { DriverId } from "./table.ts";
import { highest, lowest, tail } from "./window.ts";

/** Returns the five momentum drivers at the decision bar, in table order. */
export const momentumDrivers = (context: DriverContext): readonly DriverValue[] => [
  relativeStrengthIndex(context),
  macdHistogram(context),
  change(context, "m_roc125", 125, 0.4),
  change(context, "m_roc20", 20, 0.12),
  yearRange(context),
];

function relativeStrengthIndex({ averages, n }: DriverContext): DriverValue {
  if (n < 15) return insufficientBars("m_rsi", 15, n);
  const { rsi14 } = averages;
  return present("m_rsi", clip((rsi14 - 50) / 30), { rsi14 });
}

function macdHistogram({ averages, n, a }: DriverContext): DriverValue {
  if (n < 34) return insufficientBars("m_macd", 34, n);
  if (a === 0) return absent("m_macd", "The average true range is 0");
  const { histogram } = averages;
  return present("m_macd", Math.tanh(histogram / (0.5 * a)), { histogram, atr14: a });
}

/** Returns the relative change over `period` bars, in units of the symbol's own volatility. */
function change(context: DriverContext, id: DriverId, period: number, unit: number): DriverValue {
  const { bars, n, close, v } = context;
  if (n < period + 1) return insufficientBars(id, period + 1, n);
  const before = bars.close[n - 1 - period]!;
  return present(id, clip((close / before - 1) / (unit * v)), { close, [`close_${period}_ago`]: before, v });
}

function yearRange({ bars, n, close, year }: DriverContext): DriverValue {
  if (n < year) return insufficientBars("m_52w", year, n);
  const high = highest(tail(bars.high, year));
  const low = lowest(tail(bars.low, year));
  if (high === low) return absent("m_52w", "High and low of the year are equal");
  return present("m_52w", (2 * (close - low)) / (high - low) - 1, { close, year_high: high, year_low: low });
}
