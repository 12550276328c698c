import { type Decisions, FLAT, LONG, type Strategy } from "../../../src/analytics/backtest/types.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { ema } from "../../../src/analytics/indicators/ema.ts";
import { sma } from "../../../src/analytics/indicators/sma.ts";
import { zigzag } from "../../../src/analytics/levels/zigzag.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";

const WEEK = 7 * 86_400_000;
/** 1970 began on a Thursday. */
const weekOf = (time: number): number => Math.floor((time / 86_400_000 + 3) / 7) * WEEK;
const monthOf = (time: number): number => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth();
const mean = (x: Float64Array): number => x.reduce((sum, value) => sum + value, 0) / x.length;
const sorted = (x: Float64Array): Float64Array => x.slice().sort();

/** LONG when `rising` becomes true, FLAT when it becomes false. */
export function turns(bars: Bars, start: number, rising: (bar: number) => boolean): Decisions {
  const action = new Uint8Array(bars.time.length);
  for (let bar = start; bar < action.length; bar++) {
    const now = rising(bar);
    if (now !== (bar > start && rising(bar - 1))) action[bar] = now ? LONG : FLAT;
  }
  return { start, action };
}

/** The same entries, each with a stop or target price. */
const priced = (
  { start, action }: Decisions,
  field: "stop" | "target",
  price: (bar: number) => number,
): Decisions => ({
  start,
  action,
  [field]: Float64Array.from(action, (code, bar) => (code === LONG ? price(bar) : Number.NaN)),
});

const overMean = (bars: Bars): Decisions => {
  const average = sma(bars.close, 10);
  return turns(bars, 10, (bar) => bars.close[bar]! > average[bar]!);
};

/** Biased strategy: compares each bar's value with a level computed over all bars. */
const inSample =
  (column: "close" | "volume", level: (all: Float64Array) => number): Strategy =>
  (bars) => {
    const cut = level(bars[column]);
    return turns(bars, 20, (bar) => bars[column][bar]! > cut);
  };

const deviation = (x: Float64Array): number => {
  const middle = mean(x);
  return Math.sqrt(mean(x.map((value) => (value - middle) ** 2)));
};

/** Strategies that each look ahead through a typical mistake. */
export const BUGS: Readonly<Record<string, Strategy>> = {
  "shift by minus one": (bars) => turns(bars, 1, (bar) => bars.close[bar + 1]! > bars.close[bar]!),
  "centered average": (bars) => {
    const average = (bar: number) => mean(bars.close.subarray(Math.max(0, bar - 5), bar + 6));
    return turns(bars, 10, (bar) => bars.close[bar]! > average(bar));
  },
  "z-score of the full sample": inSample("close", (all) => mean(all) + deviation(all)),
  "min-max scaling over all bars": inSample("close", (all) => {
    const { 0: low, length, [length - 1]: high } = sorted(all);
    return low! + 0.8 * (high! - low!);
  }),
  "gaps filled backwards": (bars) => {
    const average = sma(bars.close, 20);
    const filled = average.map((value) => (Number.isNaN(value) ? average[19]! : value));
    return turns(bars, 0, (bar) => bars.close[bar]! > filled[bar]!);
  },
  "weekly bar of an unfinished week": (bars) => {
    const closes = new Map([...bars.time.keys()].map((bar) => [weekOf(bars.time[bar]!), bars.close[bar]!]));
    return turns(bars, 10, (bar) => {
      const week = weekOf(bars.time[bar]!);
      return closes.get(week)! > closes.get(week - WEEK)!;
    });
  },
  "pivot at its extreme": (bars) => {
    const action = new Uint8Array(bars.time.length);
    for (const { kind, index } of zigzag(bars.high, bars.low, atr(bars.high, bars.low, bars.close)))
      action[index] = kind === "low" ? LONG : FLAT;
    return { start: 0, action };
  },
  "highest high with tomorrow's": (bars) =>
    turns(bars, 20, (bar) => bars.close[bar]! > 0.97 * Math.max(...bars.high.subarray(bar - 19, bar + 2))),
  "stop under the lows to come": (bars) =>
    priced(overMean(bars), "stop", (bar) => 0.99 * Math.min(...bars.low.subarray(bar, bar + 6))),
  "target at the highs to come": (bars) =>
    priced(overMean(bars), "target", (bar) => Math.max(...bars.high.subarray(bar + 1, bar + 11))),
  "threshold fitted on all bars": (bars) => {
    const gap = sma(bars.close, 10).map((average, bar) => bars.close[bar]! / average - 1);
    const gain = (level: number) =>
      gap.reduce(
        (sum, value, bar) => (value > level ? sum + (bars.close[bar + 1] ?? 0) - bars.close[bar]! : sum),
        0,
      );
    const best = [-0.02, -0.01, 0, 0.01, 0.02].sort((a, b) => gain(b) - gain(a))[0]!;
    return turns(bars, 10, (bar) => gap[bar]! > best);
  },
  "volume ranked among all": inSample("volume", (all) => sorted(all)[Math.floor(0.9 * all.length)]!),
  "count of bars": (bars) =>
    turns(bars, 10, (bar) => bar < 0.75 * bars.time.length && bars.close[bar]! > bars.close[bar - 5]!),
  "smoothing forwards and back": (bars) => {
    const smooth = ema(ema(bars.close, 5).reverse(), 5).reverse();
    return turns(bars, 10, (bar) => bars.close[bar]! > smooth[bar]!);
  },
  "percent rank over all": (bars) => {
    const moves = bars.close.map((close, bar) => (bar === 0 ? 0 : close / bars.close[bar - 1]! - 1));
    const all = sorted(moves);
    return turns(bars, 10, (bar) => all.indexOf(moves[bar]!) / all.length > 0.8);
  },
  "best day left out": (bars) => {
    const moves = bars.close.map((close, bar) => (bar === 0 ? 0 : close / bars.close[bar - 1]!));
    const best = moves.indexOf(Math.max(...moves));
    return turns(bars, 1, (bar) => bar !== best - 1);
  },
  "only months that end up": (bars) => {
    const ends = new Map([...bars.time.keys()].map((bar) => [monthOf(bars.time[bar]!), bars.close[bar]!]));
    return turns(bars, 25, (bar) => {
      const month = monthOf(bars.time[bar]!);
      return ends.get(month)! > ends.get(month - 1)!;
    });
  },
  "average range of the last bar": (bars) => {
    const range = atr(bars.high, bars.low, bars.close).at(-1)!;
    return priced(overMean(bars), "stop", (bar) => bars.close[bar]! - 2 * range);
  },
  "interpolation across gaps": (bars) => {
    const known = (bar: number) => bars.close[bar] ?? Number.NaN;
    const between = (bar: number) => {
      const from = bar - (bar % 5);
      return from === bar ? known(bar) : known(from) + ((known(from + 5) - known(from)) * (bar - from)) / 5;
    };
    return turns(bars, 10, (bar) => bars.close[bar]! < between(bar));
  },
  "crossing one bar early": (bars) => {
    const slow = sma(bars.close, 20);
    const gap = sma(bars.close, 5).map((fast, bar) => fast - slow[bar]!);
    const action = new Uint8Array(gap.length);
    for (let bar = 20; bar < action.length; bar++) {
      if (gap[bar]! < 0 && gap[bar + 1]! > 0) action[bar] = LONG;
      if (gap[bar]! > 0 && gap[bar + 1]! < 0) action[bar] = FLAT;
    }
    return { start: 20, action };
  },
};
