import { sliceBars } from "../../domain/market/bars.ts";
import { cmf } from "../indicators/cmf.ts";
import { mfi } from "../indicators/mfi.ts";
import { obv } from "../indicators/obv.ts";
import type { DriverContext } from "./context.ts";
import { absent, clip, type DriverValue, insufficientBars, present } from "./driver-value.ts";
import { fitLine, last, mean, sum, tail } from "./window.ts";

/** Returns the five volume drivers at the decision bar, in table order. */
export const volumeDrivers = (context: DriverContext): readonly DriverValue[] => [
  onBalance(context),
  moneyFlow(context),
  moneyFlowIndex(context),
  upAgainstDown(context),
  thrust(context),
];

const NO_VOLUME = "No volume in the window";

function onBalance({ bars, n }: DriverContext): DriverValue {
  if (n < 21) return insufficientBars("v_obv", 21, n);
  if (sum(tail(bars.volume, 20)) === 0) return absent("v_obv", NO_VOLUME);
  // the slope does not depend on OBV's starting value, so 21 bars suffice
  const { slope, r2 } = fitLine(tail(obv(tail(bars.close, 21), tail(bars.volume, 21)), 20));
  return present("v_obv", Math.sign(slope) * r2, { slope_per_bar: slope, r2 });
}

function moneyFlow({ bars, n }: DriverContext): DriverValue {
  if (n < 20) return insufficientBars("v_cmf", 20, n);
  const window = sliceBars(bars, n - 20);
  if (sum(window.volume) === 0) return absent("v_cmf", NO_VOLUME);
  if (window.high.every((high, i) => high === window.low[i]))
    return absent("v_cmf", "No bar of the window has a range");
  const cmf20 = last(cmf(window.high, window.low, window.close, window.volume, 20));
  return present("v_cmf", clip(cmf20 / 0.25), { cmf20 });
}

function moneyFlowIndex({ bars, n }: DriverContext): DriverValue {
  if (n < 15) return insufficientBars("v_mfi", 15, n);
  if (sum(tail(bars.volume, 14)) === 0) return absent("v_mfi", NO_VOLUME);
  const window = sliceBars(bars, n - 15);
  const mfi14 = last(mfi(window.high, window.low, window.close, window.volume, 14));
  return present("v_mfi", clip((mfi14 - 50) / 30), { mfi14 });
}

function upAgainstDown({ bars, n }: DriverContext): DriverValue {
  if (n < 51) return insufficientBars("v_updn", 51, n);
  let up = 0;
  let down = 0;
  for (let bar = n - 50; bar < n; bar++) {
    const change = bars.close[bar]! - bars.close[bar - 1]!;
    if (change > 0) up += bars.volume[bar]!;
    else if (change < 0) down += bars.volume[bar]!;
  }
  if (up + down === 0) return absent("v_updn", "No volume on rising or falling bars");
  return present("v_updn", clip((2 * (up - down)) / (up + down)), { up_volume: up, down_volume: down });
}

function thrust({ bars, n }: DriverContext): DriverValue {
  if (n < 54) return insufficientBars("v_thrust", 54, n);
  let total = 0;
  for (let bar = n - 5; bar < n; bar++) {
    const average = mean(bars.volume.subarray(bar - 49, bar + 1));
    if (average === 0) return absent("v_thrust", "No average volume over 50 bars");
    const surge = Math.max(0, Math.log2(bars.volume[bar]! / average));
    total += Math.sign(bars.close[bar]! - bars.close[bar - 1]!) * clip(surge);
  }
  const sma50 = mean(tail(bars.volume, 50));
  return present("v_thrust", total / 5, { volume: bars.volume[n - 1]!, sma50_volume: sma50 });
}
