import { deviation } from "../../src/analytics/indicators/deviation.ts";
import { obv } from "../../src/analytics/indicators/obv.ts";
import { percentRank } from "../../src/analytics/indicators/percent-rank.ts";
import { rollingZ } from "../../src/analytics/indicators/rolling-z.ts";
import { INDICATORS, type Indicator } from "../../src/analytics/indicators/table.ts";
import { trueRange } from "../../src/analytics/indicators/true-range.ts";
import type { Bars } from "../../src/domain/market/bars.ts";

/** One indicator with the functions that the contract tests call. */
export interface IndicatorCase {
  readonly name: string;
  /** Its columns with default parameters. */
  readonly of: (bars: Bars) => Readonly<Record<string, Float64Array>>;
  /** Number of leading missing values in each column; null if it depends on the prices. */
  readonly warmUp: Readonly<Record<string, number>> | null;
  /** The indicator with one period replaced, once per period parameter. */
  readonly periods: readonly ((bars: Bars, period: number) => unknown)[];
}

/** Columns that start before the slowest column of their indicator. */
const EARLIER: Readonly<Record<string, number>> = {
  macd: 25,
  plus_di: 14,
  minus_di: 14,
  stoch_k: 15,
  tenkan: 8,
  kijun: 25,
  senkou_a: 51,
};

const caseOf = ({ names, params, warmUp, columns }: Indicator): IndicatorCase => {
  const args = params.map((param) => param.default);
  return {
    name: names[0]!,
    of: (bars) => columns(bars, ...args),
    warmUp:
      names[0] === "stage"
        ? null
        : Object.fromEntries(names.map((name) => [name, EARLIER[name] ?? warmUp(...args)])),
    periods: params.flatMap(({ integer }, i) =>
      integer ? [(bars: Bars, period: number) => columns(bars, ...args.with(i, period))] : [],
    ),
  };
};

/** Indicators that are only building blocks of others; rules cannot name them. */
const PARTS: readonly IndicatorCase[] = [
  {
    name: "deviation",
    of: ({ close }) => ({ ...deviation(close, 20) }),
    warmUp: { mean: 19, deviation: 19 },
    periods: [({ close }, period) => deviation(close, period)],
  },
  {
    name: "rolling-z",
    of: ({ close }) => ({ value: rollingZ(close, 60) }),
    warmUp: { value: 59 },
    periods: [({ close }, period) => rollingZ(close, period)],
  },
  {
    name: "percent-rank",
    of: ({ close }) => ({ value: percentRank(close, 140) }),
    warmUp: { value: 125 },
    periods: [({ close }, period) => percentRank(close, period)],
  },
  {
    name: "true-range",
    of: ({ high, low, close }) => ({ value: trueRange(high, low, close) }),
    warmUp: { value: 1 },
    periods: [],
  },
  {
    name: "obv",
    of: ({ close, volume }) => ({ value: obv(close, volume) }),
    warmUp: { value: 0 },
    periods: [],
  },
];

/** Every indicator of the table and the building blocks. */
export const INDICATOR_CASES: readonly IndicatorCase[] = [...INDICATORS.map(caseOf), ...PARTS];
