import { type DriverContext, lastCloses } from "./context.ts";
import { absent, clip, type DriverValue, insufficientBars, present } from "./driver-value.ts";
import type { DriverId } from "./table.ts";
import { fitLine, mean } from "./window.ts";

/** Returns the seven trend drivers at the decision bar, in table order. */
export const trendDrivers = (context: DriverContext): readonly DriverValue[] => [
  aboveAverage(context, "t_ma200", 200, 0.15),
  aboveAverage(context, "t_ma50", 50, 0.08),
  averagesInOrder(context),
  weinstein(context),
  directionalMovement(context),
  superTrend(context),
  regression(context),
];

/** Returns the distance of the close from its simple moving average, in units of the symbol's own volatility. */
function aboveAverage(context: DriverContext, id: DriverId, period: number, unit: number): DriverValue {
  const { n, close, v } = context;
  if (n < period) return insufficientBars(id, period, n);
  const average = mean(lastCloses(context, period));
  return present(id, clip((close / average - 1) / (unit * v)), { close, [`sma${period}`]: average, v });
}

function averagesInOrder({ averages, n, close }: DriverContext): DriverValue {
  if (n < 200) return insufficientBars("t_stack", 200, n);
  const { ema20, ema50, ema200 } = averages;
  const steps = Math.sign(close - ema20) + Math.sign(ema20 - ema50) + Math.sign(ema50 - ema200);
  return present("t_stack", steps / 3, { close, ema20, ema50, ema200 });
}

const STAGE_VALUE = [Number.NaN, 0.25, 1, -0.25, -1] as const;

function weinstein({ stage }: DriverContext): DriverValue {
  if (Number.isNaN(stage))
    return absent("t_stage", "Needs 34 completed weeks and a first advance or decline (stage 2 or 4)");
  return present("t_stage", STAGE_VALUE[stage] ?? Number.NaN, { stage });
}

function directionalMovement({ averages, n }: DriverContext): DriverValue {
  if (n < 28) return insufficientBars("t_adx", 28, n);
  const { adx14, plus, minus } = averages;
  const inputs = { adx14, plus_di: plus, minus_di: minus };
  if (plus + minus === 0) return present("t_adx", 0, inputs);
  return present("t_adx", ((plus - minus) / (plus + minus)) * Math.min(1, adx14 / 40), inputs);
}

function superTrend({ averages, n, close, a }: DriverContext): DriverValue {
  if (n < 15) return insufficientBars("t_super", 15, n);
  if (a === 0) return absent("t_super", "The average true range is 0");
  const { supertrend, side } = averages;
  const distance = Math.min(1, Math.abs(close - supertrend) / (3 * a));
  return present("t_super", side * (0.5 + 0.5 * distance), { supertrend, direction: side, atr14: a });
}

function regression(context: DriverContext): DriverValue {
  if (context.n < 60) return insufficientBars("t_reg", 60, context.n);
  const { slope, r2 } = fitLine(lastCloses(context, 60).map(Math.log));
  return present("t_reg", Math.sign(slope) * r2, { slope_per_bar: slope, r2 });
}
