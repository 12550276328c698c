import { adx } from "../../src/analytics/indicators/adx.ts";
import { aroon } from "../../src/analytics/indicators/aroon.ts";
import { atr } from "../../src/analytics/indicators/atr.ts";
import { bollinger } from "../../src/analytics/indicators/bollinger.ts";
import { cci } from "../../src/analytics/indicators/cci.ts";
import { choppiness } from "../../src/analytics/indicators/choppiness.ts";
import { cmf } from "../../src/analytics/indicators/cmf.ts";
import { deviation } from "../../src/analytics/indicators/deviation.ts";
import { donchian } from "../../src/analytics/indicators/donchian.ts";
import { ema } from "../../src/analytics/indicators/ema.ts";
import { ichimoku } from "../../src/analytics/indicators/ichimoku.ts";
import { keltner } from "../../src/analytics/indicators/keltner.ts";
import { linearRegression } from "../../src/analytics/indicators/linear-regression.ts";
import { macd } from "../../src/analytics/indicators/macd.ts";
import { mansfield } from "../../src/analytics/indicators/mansfield.ts";
import { mfi } from "../../src/analytics/indicators/mfi.ts";
import { obv } from "../../src/analytics/indicators/obv.ts";
import { percentRank } from "../../src/analytics/indicators/percent-rank.ts";
import { position52w } from "../../src/analytics/indicators/position-52w.ts";
import { rma } from "../../src/analytics/indicators/rma.ts";
import { roc } from "../../src/analytics/indicators/roc.ts";
import { rollingZ } from "../../src/analytics/indicators/rolling-z.ts";
import { rsi } from "../../src/analytics/indicators/rsi.ts";
import { sma } from "../../src/analytics/indicators/sma.ts";
import { stochastic } from "../../src/analytics/indicators/stochastic.ts";
import { supertrend } from "../../src/analytics/indicators/supertrend.ts";
import { trix } from "../../src/analytics/indicators/trix.ts";
import { trueRange } from "../../src/analytics/indicators/true-range.ts";
import { vwap } from "../../src/analytics/indicators/vwap.ts";
import { weinsteinStage } from "../../src/analytics/indicators/weinstein-stage.ts";
import { williamsR } from "../../src/analytics/indicators/williams-r.ts";
import { wma } from "../../src/analytics/indicators/wma.ts";
import type { Bars } from "../../src/domain/market/bars.ts";

type Columns = Readonly<Record<string, Float64Array>>;

/** One indicator as every contract sees it; `file` is its name in src/analytics/indicators. */
export interface Listed {
  readonly file: string;
  /** Its columns at the usual parameters. */
  readonly of: (bars: Bars) => Columns;
  /** Unknown first bars of each column; null where they depend on the prices. */
  readonly warmUp: Readonly<Record<string, number>> | null;
  /** The same with one period replaced, once for each period it takes. */
  readonly periods: readonly ((bars: Bars, period: number) => unknown)[];
  /** Takes several columns, which must be of one length. */
  readonly aligned: boolean;
}

type OfOne = (x: Float64Array, period: number) => Float64Array;
type OfThree = (high: Float64Array, low: Float64Array, close: Float64Array, period: number) => Float64Array;
type OfFour = (
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  volume: Float64Array,
  period: number,
) => Float64Array;

const listed = (
  file: string,
  of: Listed["of"],
  warmUp: Listed["warmUp"],
  periods: Listed["periods"],
  aligned = true,
): Listed => ({ file, of, warmUp, periods, aligned });

const one = (file: string, f: OfOne, period: number, value: number) =>
  listed(file, (b) => ({ value: f(b.close, period) }), { value }, [(b, n) => f(b.close, n)], false);

const three = (file: string, f: OfThree, period: number, value: number) =>
  listed(file, (b) => ({ value: f(b.high, b.low, b.close, period) }), { value }, [
    (b, n) => f(b.high, b.low, b.close, n),
  ]);

const four = (file: string, f: OfFour, period: number, value: number) =>
  listed(file, (b) => ({ value: f(b.high, b.low, b.close, b.volume, period) }), { value }, [
    (b, n) => f(b.high, b.low, b.close, b.volume, n),
  ]);

/** Every indicator there is, so that no contract forgets one. */
export const INDICATORS: readonly Listed[] = [
  one("sma", sma, 20, 19),
  one("ema", ema, 20, 19),
  one("wma", wma, 14, 13),
  one("rma", rma, 14, 13),
  one("rsi", rsi, 14, 14),
  one("roc", roc, 14, 14),
  one("trix", trix, 14, 14),
  one("rolling-z", rollingZ, 60, 59),
  one("percent-rank", percentRank, 140, 125),
  three("atr", atr, 14, 14),
  three("cci", cci, 20, 19),
  three("choppiness", choppiness, 14, 14),
  three("williams-r", williamsR, 14, 13),
  three("position-52w", position52w, 100, 99),
  four("cmf", cmf, 20, 19),
  four("mfi", mfi, 14, 14),
  listed("true-range", (b) => ({ value: trueRange(b.high, b.low, b.close) }), { value: 1 }, []),
  listed("obv", (b) => ({ value: obv(b.close, b.volume) }), { value: 0 }, []),
  listed("vwap", (b) => ({ value: vwap(b) }), { value: 0 }, []),
  listed("weinstein-stage", (b) => ({ value: weinsteinStage(b) }), null, [], false),
  listed("mansfield", (b) => ({ value: mansfield(b.close, b.open, 50) }), { value: 49 }, [
    (b, n) => mansfield(b.close, b.open, n),
  ]),
  listed(
    "macd",
    (b) => ({ ...macd(b.close) }),
    { macd: 25, signal: 33, histogram: 33 },
    [(b, n) => macd(b.close, n), (b, n) => macd(b.close, 12, n), (b, n) => macd(b.close, 12, 26, n)],
    false,
  ),
  listed("adx", (b) => ({ ...adx(b.high, b.low, b.close) }), { adx: 27, plus: 14, minus: 14 }, [
    (b, n) => adx(b.high, b.low, b.close, n),
  ]),
  listed(
    "deviation",
    (b) => ({ ...deviation(b.close, 20) }),
    { mean: 19, deviation: 19 },
    [(b, n) => deviation(b.close, n)],
    false,
  ),
  listed(
    "bollinger",
    (b) => ({ ...bollinger(b.close) }),
    { upper: 19, middle: 19, lower: 19, percentB: 19, width: 19 },
    [(b, n) => bollinger(b.close, n)],
    false,
  ),
  listed("stochastic", (b) => ({ ...stochastic(b.high, b.low, b.close) }), { k: 15, d: 17 }, [
    (b, n) => stochastic(b.high, b.low, b.close, n),
    (b, n) => stochastic(b.high, b.low, b.close, 14, n),
    (b, n) => stochastic(b.high, b.low, b.close, 14, 3, n),
  ]),
  listed("aroon", (b) => ({ ...aroon(b.high, b.low) }), { up: 25, down: 25, oscillator: 25 }, [
    (b, n) => aroon(b.high, b.low, n),
  ]),
  listed("donchian", (b) => ({ ...donchian(b.high, b.low) }), { upper: 20, middle: 20, lower: 20 }, [
    (b, n) => donchian(b.high, b.low, n),
  ]),
  listed("keltner", (b) => ({ ...keltner(b.high, b.low, b.close) }), { upper: 19, middle: 19, lower: 19 }, [
    (b, n) => keltner(b.high, b.low, b.close, n),
    (b, n) => keltner(b.high, b.low, b.close, 20, 2, n),
  ]),
  listed("supertrend", (b) => ({ ...supertrend(b.high, b.low, b.close) }), { line: 10, direction: 10 }, [
    (b, n) => supertrend(b.high, b.low, b.close, n),
  ]),
  listed(
    "ichimoku",
    (b) => ({ ...ichimoku(b.high, b.low) }),
    { tenkan: 8, kijun: 25, senkouA: 51, senkouB: 77 },
    [
      (b, n) => ichimoku(b.high, b.low, n),
      (b, n) => ichimoku(b.high, b.low, 9, n),
      (b, n) => ichimoku(b.high, b.low, 9, 26, n),
    ],
  ),
  listed(
    "linear-regression",
    (b) => ({ ...linearRegression(b.close, 14) }),
    { slope: 13, r2: 13 },
    [(b, n) => linearRegression(b.close, n)],
    false,
  ),
];
