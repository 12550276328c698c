import type { Bars } from "../../domain/market/bars.ts";
import { adx } from "./adx.ts";
import { aroon } from "./aroon.ts";
import { atr } from "./atr.ts";
import { bollinger } from "./bollinger.ts";
import { cci } from "./cci.ts";
import { choppiness } from "./choppiness.ts";
import { cmf } from "./cmf.ts";
import { donchian } from "./donchian.ts";
import { ema } from "./ema.ts";
import { ichimoku } from "./ichimoku.ts";
import { keltner } from "./keltner.ts";
import { linearRegression } from "./linear-regression.ts";
import { macd } from "./macd.ts";
import { mfi } from "./mfi.ts";
import { FORECAST_BARS, rangePosition } from "./range-position.ts";
import { rma } from "./rma.ts";
import { roc } from "./roc.ts";
import { rsi } from "./rsi.ts";
import type { Series } from "./series.ts";
import { sma } from "./sma.ts";
import { stochastic } from "./stochastic.ts";
import { supertrend } from "./supertrend.ts";
import { trix } from "./trix.ts";
import { vwap } from "./vwap.ts";
import { weinsteinStage } from "./weinstein-stage.ts";
import { williamsR } from "./williams-r.ts";
import { wma } from "./wma.ts";

export interface IndicatorParam {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
}

/** One computation over bars and the columns it returns. */
export interface Indicator {
  /** Column names as written in rules and in get_analysis. */
  readonly names: readonly string[];
  readonly params: readonly IndicatorParam[];
  /** Bars before the first value of its slowest column. */
  readonly warmUp: (...args: number[]) => number;
  readonly columns: (bars: Bars, ...args: number[]) => Readonly<Record<string, Series>>;
}

type Args = [first: number, second: number, third: number];
/** Bars before the first value: computed from the parameters, or an offset added to the first parameter. */
type WarmUp = number | ((...args: Args) => number);

const period = (fallback: number, min = 1): IndicatorParam => ({
  default: fallback,
  min,
  max: 500,
  integer: true,
});
const multiple = (fallback: number): IndicatorParam => ({
  default: fallback,
  min: 0.1,
  max: 20,
  integer: false,
});

/** Defines an indicator with several columns, computed together. */
const group = (
  names: readonly string[],
  params: readonly IndicatorParam[],
  warmUp: WarmUp,
  columns: (bars: Bars, ...args: Args) => Readonly<Record<string, Series>>,
): Indicator => ({
  names,
  params,
  warmUp: typeof warmUp === "number" ? (first = 0) => first + warmUp : warmUp,
  columns,
});

/** Defines an indicator with one column. */
const single = (
  name: string,
  params: readonly IndicatorParam[],
  warmUp: WarmUp,
  column: (bars: Bars, ...args: Args) => Series,
): Indicator => group([name], params, warmUp, (bars, ...args) => ({ [name]: column(bars, ...args) }));

/**
 * Warm-up of the stage: weeks of the average and its slope, five bars each; markets that trade on weekends need more
 * bars.
 */
const STAGE_BARS = 34 * 5;
/** Maximum number of bars of a forecast range. */
const MAX_FORECAST_BARS = 60;

/** Every indicator available in rules and in get_analysis. */
export const INDICATORS: readonly Indicator[] = [
  single("sma", [period(20)], -1, ({ close }, n) => sma(close, n)),
  single("ema", [period(20)], -1, ({ close }, n) => ema(close, n)),
  single("wma", [period(14)], -1, ({ close }, n) => wma(close, n)),
  single("rma", [period(14)], -1, ({ close }, n) => rma(close, n)),
  single("volume_sma", [period(20)], -1, ({ volume }, n) => sma(volume, n)),
  single("vwap", [], 0, (bars) => vwap(bars)),
  single("rsi", [period(14)], 0, ({ close }, n) => rsi(close, n)),
  single("roc", [period(20)], 0, ({ close }, n) => roc(close, n)),
  single("trix", [period(14)], 0, ({ close }, n) => trix(close, n)),
  single("atr", [period(14)], 0, ({ high, low, close }, n) => atr(high, low, close, n)),
  single("cci", [period(20)], -1, ({ high, low, close }, n) => cci(high, low, close, n)),
  single("williams_r", [period(14)], -1, ({ high, low, close }, n) => williamsR(high, low, close, n)),
  single("choppiness", [period(14, 2)], 0, ({ high, low, close }, n) => choppiness(high, low, close, n)),
  single("cmf", [period(20)], -1, ({ high, low, close, volume }, n) => cmf(high, low, close, volume, n)),
  single("mfi", [period(14)], 0, ({ high, low, close, volume }, n) => mfi(high, low, close, volume, n)),
  group(
    ["macd", "macd_signal", "macd_hist"],
    [period(12), period(26, 2), period(9)],
    (_, slow, signal) => slow + signal - 2,
    ({ close }, fast, slow, signal) => {
      const lines = macd(close, fast, slow, signal);
      return { macd: lines.macd, macd_signal: lines.signal, macd_hist: lines.histogram };
    },
  ),
  group(["bb_upper", "bb_middle", "bb_lower"], [period(20, 2), multiple(2)], -1, ({ close }, n, k) => {
    const { upper, middle, lower } = bollinger(close, n, k);
    return { bb_upper: upper, bb_middle: middle, bb_lower: lower };
  }),
  group(
    ["keltner_upper", "keltner_middle", "keltner_lower"],
    [period(20), multiple(2), period(10)],
    (n, _, atrPeriod) => Math.max(n - 1, atrPeriod),
    ({ high, low, close }, n, k, atrPeriod) => {
      const { upper, middle, lower } = keltner(high, low, close, n, k, atrPeriod);
      return { keltner_upper: upper, keltner_middle: middle, keltner_lower: lower };
    },
  ),
  group(["highest", "lowest"], [period(20)], 0, ({ high, low }, n) => {
    const { upper, lower } = donchian(high, low, n);
    return { highest: upper, lowest: lower };
  }),
  group(
    ["adx", "plus_di", "minus_di"],
    [period(14)],
    (n) => 2 * n - 1,
    ({ high, low, close }, n) => {
      const lines = adx(high, low, close, n);
      return { adx: lines.adx, plus_di: lines.plus, minus_di: lines.minus };
    },
  ),
  group(["aroon_up", "aroon_down", "aroon_osc"], [period(25)], 0, ({ high, low }, n) => {
    const { up, down, oscillator } = aroon(high, low, n);
    return { aroon_up: up, aroon_down: down, aroon_osc: oscillator };
  }),
  group(
    ["stoch_k", "stoch_d"],
    [period(14), period(3), period(3)],
    (n, smooth, signal) => n + smooth + signal - 3,
    ({ high, low, close }, n, smooth, signal) => {
      const { k, d } = stochastic(high, low, close, n, smooth, signal);
      return { stoch_k: k, stoch_d: d };
    },
  ),
  group(
    ["tenkan", "kijun", "senkou_a", "senkou_b"],
    [period(9), period(26), period(52)],
    (conversion, base, span) => base + Math.max(conversion, base, span) - 1,
    ({ high, low }, conversion, base, span) => {
      const { tenkan, kijun, senkouA, senkouB } = ichimoku(high, low, conversion, base, span);
      return { tenkan, kijun, senkou_a: senkouA, senkou_b: senkouB };
    },
  ),
  group(["slope", "slope_r2"], [period(14, 2)], -1, ({ close }, n) => {
    const { slope, r2 } = linearRegression(close, n);
    return { slope, slope_r2: r2 };
  }),
  single(
    "supertrend",
    [period(10), multiple(3)],
    0,
    ({ high, low, close }, n, k) => supertrend(high, low, close, n, k).line,
  ),
  single("stage", [], STAGE_BARS, (bars) => weinsteinStage(bars)),
  single("range_position", [{ ...period(5), max: MAX_FORECAST_BARS }], FORECAST_BARS, (bars, n) =>
    rangePosition(bars, n),
  ),
];

/** First names of the indicators that depend on all past bars, by averages of Wilder or exponential ones. */
export const RECURSIVE: ReadonlySet<string> = new Set([
  "ema",
  "rma",
  "rsi",
  "trix",
  "atr",
  "macd",
  "keltner_upper",
  "adx",
  "supertrend",
]);
