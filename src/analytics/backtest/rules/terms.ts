import type { Bars } from "../../../domain/market/bars.ts";
import { adx } from "../../indicators/adx.ts";
import { atr } from "../../indicators/atr.ts";
import { bollinger } from "../../indicators/bollinger.ts";
import { donchian } from "../../indicators/donchian.ts";
import { ema } from "../../indicators/ema.ts";
import { macd } from "../../indicators/macd.ts";
import { roc } from "../../indicators/roc.ts";
import { rsi } from "../../indicators/rsi.ts";
import type { Series } from "../../indicators/series.ts";
import { sma } from "../../indicators/sma.ts";
import { stochastic } from "../../indicators/stochastic.ts";
import { supertrend } from "../../indicators/supertrend.ts";
import { weinsteinStage } from "../../indicators/weinstein-stage.ts";
import type { NumberParam } from "../strategies/params.ts";

/** Terms that come of one computation, each under the name it has in a rule. */
interface Family {
  readonly names: readonly string[];
  readonly params: readonly NumberParam[];
  /** Bars before the first value of the slowest of its terms. */
  readonly warm: (...args: number[]) => number;
  readonly columns: (bars: Bars, ...args: number[]) => Readonly<Record<string, Series>>;
}

const period = (fallback: number, min = 1): NumberParam => ({
  default: fallback,
  min,
  max: 500,
  integer: true,
  text: "bars",
});
const width = (fallback: number): NumberParam => ({
  default: fallback,
  min: 0.1,
  max: 20,
  integer: false,
  text: "multiples",
});

/** Weeks of the average and of its slope, of five days; a week of the market's more where it trades on weekends. */
const STAGE = 34 * 5;

/** Every family of terms that is computed from bars alone. */
export const FAMILIES: readonly Family[] = [
  {
    names: ["open", "high", "low", "close", "volume"],
    params: [],
    warm: () => 0,
    columns: ({ open, high, low, close, volume }) => ({ open, high, low, close, volume }),
  },
  {
    names: ["sma"],
    params: [period(20)],
    warm: (n) => n! - 1,
    columns: ({ close }, n) => ({ sma: sma(close, n!) }),
  },
  {
    names: ["ema"],
    params: [period(20)],
    warm: (n) => n! - 1,
    columns: ({ close }, n) => ({ ema: ema(close, n!) }),
  },
  {
    names: ["volume_sma"],
    params: [period(20)],
    warm: (n) => n! - 1,
    columns: ({ volume }, n) => ({ volume_sma: sma(volume, n!) }),
  },
  {
    names: ["rsi"],
    params: [period(14)],
    warm: (n) => n!,
    columns: ({ close }, n) => ({ rsi: rsi(close, n) }),
  },
  {
    names: ["roc"],
    params: [period(20)],
    warm: (n) => n!,
    columns: ({ close }, n) => ({ roc: roc(close, n!) }),
  },
  {
    names: ["atr"],
    params: [period(14)],
    warm: (n) => n!,
    columns: ({ high, low, close }, n) => ({ atr: atr(high, low, close, n) }),
  },
  {
    names: ["macd", "macd_signal", "macd_hist"],
    params: [period(12), period(26, 2), period(9)],
    warm: (_, slow, signal) => slow! + signal! - 2,
    columns: ({ close }, fast, slow, signal) => {
      const lines = macd(close, fast, slow, signal);
      return { macd: lines.macd, macd_signal: lines.signal, macd_hist: lines.histogram };
    },
  },
  {
    names: ["bb_upper", "bb_middle", "bb_lower"],
    params: [period(20, 2), width(2)],
    warm: (n) => n! - 1,
    columns: ({ close }, n, k) => {
      const { upper, middle, lower } = bollinger(close, n, k);
      return { bb_upper: upper, bb_middle: middle, bb_lower: lower };
    },
  },
  {
    names: ["highest", "lowest"],
    params: [period(20)],
    warm: (n) => n!,
    columns: ({ high, low }, n) => {
      const { upper, lower } = donchian(high, low, n);
      return { highest: upper, lowest: lower };
    },
  },
  {
    names: ["adx", "plus_di", "minus_di"],
    params: [period(14)],
    warm: (n) => 2 * n! - 1,
    columns: ({ high, low, close }, n) => {
      const lines = adx(high, low, close, n);
      return { adx: lines.adx, plus_di: lines.plus, minus_di: lines.minus };
    },
  },
  {
    names: ["stoch_k", "stoch_d"],
    params: [period(14), period(3), period(3)],
    warm: (n, smooth, signal) => n! + smooth! + signal! - 3,
    columns: ({ high, low, close }, n, smooth, signal) => {
      const { k, d } = stochastic(high, low, close, n, smooth, signal);
      return { stoch_k: k, stoch_d: d };
    },
  },
  {
    names: ["supertrend"],
    params: [period(10), width(3)],
    warm: (n) => n!,
    columns: ({ high, low, close }, n, k) => ({ supertrend: supertrend(high, low, close, n, k).line }),
  },
  { names: ["stage"], params: [], warm: () => STAGE, columns: (bars) => ({ stage: weinsteinStage(bars) }) },
];

/** The family of each term; one that is not here is read from the signal. */
export const FAMILY_OF: ReadonlyMap<string, Family> = new Map(
  FAMILIES.flatMap((family) => family.names.map((name) => [name, family] as const)),
);
