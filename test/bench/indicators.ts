import { cpus } from "node:os";
import * as technical from "technicalindicators";
import * as signals from "trading-signals";
import { adx } from "../../src/analytics/indicators/adx.ts";
import { atr } from "../../src/analytics/indicators/atr.ts";
import { bollinger } from "../../src/analytics/indicators/bollinger.ts";
import { macd } from "../../src/analytics/indicators/macd.ts";
import { rsi } from "../../src/analytics/indicators/rsi.ts";
import { besideTaLib, type Prices } from "./indicators/ta-lib.ts";

/** RSI14, MACD histogram, ATR14, ADX14 and upper BB20 on the last bar. */
type Last = readonly [rsi: number, histogram: number, atr: number, adx: number, upper: number];

/**
 * An implementation of the five indicators: returns one pass per series, with the input already in its preferred
 * format.
 */
type Engine = (series: readonly Prices[]) => readonly (() => Last)[];

const LABELS = ["RSI14", "MACD histogram", "ATR14", "ADX14", "BB20 upper"] as const;
/** Several short series in turn, as over a universe; with a single one, branch prediction would distort the timing. */
const SIZES = [
  { size: 500, series: 40 },
  { size: 100_000, series: 1 },
] as const;

const ENGINES: Readonly<Record<string, Engine>> = {
  own: (series) =>
    series.map(({ high, low, close }) => () => [
      last(rsi(close)),
      last(macd(close).histogram),
      last(atr(high, low, close)),
      last(adx(high, low, close).adx),
      last(bollinger(close).upper),
    ]),

  "trading-signals": (series) =>
    series.map(({ high, low, close }) => {
      const prices = [...close];
      const candles = prices.map((value, i) => ({ high: high[i]!, low: low[i]!, close: value }));
      return () => {
        const strength = new signals.RSI(14);
        const moved = new signals.MACD(new signals.EMA(12), new signals.EMA(26), new signals.EMA(9));
        const range = new signals.ATR(14);
        const trend = new signals.ADX(14);
        const bands = new signals.BollingerBands(20, 2);
        for (let i = 0; i < prices.length; i++) {
          strength.update(prices[i]!, false);
          moved.update(prices[i]!, false);
          range.update(candles[i]!, false);
          trend.update(candles[i]!, false);
          bands.update(prices[i]!, false);
        }
        return [
          strength.getResultOrThrow(),
          moved.getResultOrThrow().histogram,
          range.getResultOrThrow(),
          trend.getResultOrThrow(),
          bands.getResultOrThrow().upper,
        ];
      };
    }),

  technicalindicators: (series) =>
    series.map((prices) => {
      const high = [...prices.high];
      const low = [...prices.low];
      const close = [...prices.close];
      const averages = { SimpleMAOscillator: false, SimpleMASignal: false };
      return () => [
        last(technical.RSI.calculate({ values: close, period: 14 })),
        last(
          technical.MACD.calculate({
            values: close,
            fastPeriod: 12,
            slowPeriod: 26,
            signalPeriod: 9,
            ...averages,
          }),
        ).histogram!,
        last(technical.ATR.calculate({ high, low, close, period: 14 })),
        last(technical.ADX.calculate({ high, low, close, period: 14 })).adx,
        last(technical.BollingerBands.calculate({ values: close, period: 20, stdDev: 2 })).upper,
      ];
    }),
};

/**
 * Checks that all three libraries agree on the last bar, then times them in turn and prints their speed. Does the same
 * with TA-Lib where it is installed.
 */
export async function run(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, one thread`);
  console.log(
    "RSI14 + MACD(12,26,9) + ATR14 + ADX14 + BB(20,2); one bar = one bar of the series through all five",
  );
  for (const { size, series } of SIZES) {
    const prices = walks(size, series);
    const engines = Object.entries(ENGINES).map(([name, engine]) => ({ name, passes: engine(prices) }));
    console.log(`\n${series} x ${size} bars`);
    check(engines);
    report(size * series, engines);
    if (series === 1) await reportTaLib(prices[0]!, engines[0]!.passes[0]!);
  }
}

/** Prints the ratio to TA-Lib. @throws Error if the last values differ */
async function reportTaLib(prices: Prices, pass: () => Last): Promise<void> {
  const measured = await besideTaLib(prices, pass);
  if (measured === null)
    return console.log(
      "  TA-Lib              not compared: needs a C compiler and the library ta_lib with its headers",
    );
  for (const [row, value] of pass().entries())
    if (!(Math.abs(value - measured.last[row]!) < 1e-6))
      throw new Error(`${LABELS[row]}: ${value}, TA-Lib ${measured.last[row]}`);
  console.log(`  own                 ${measured.ratio.toFixed(2)}x of TA-Lib, both with new columns`);
}

type Engines = readonly { readonly name: string; readonly passes: readonly (() => Last)[] }[];

/** Prints the last values of the first series. @throws Error if they differ by more than rounding to cents explains */
function check(engines: Engines): void {
  for (const series of engines[0]!.passes.keys()) {
    const values = engines.map(({ passes }) => passes[series]!());
    for (const [row, label] of LABELS.entries()) {
      const found = values.map((value) => value[row]!);
      const shown = found.map((value, i) => `${engines[i]!.name} ${value.toFixed(9)}`).join("  ");
      if (series === 0) console.log(`  ${label.padEnd(15)} ${shown}`);
      if (!(Math.max(...found) - Math.min(...found) <= 0.0051)) throw new Error(`${label}: ${shown}`);
    }
  }
  console.log("  all series agree on their last bar; technicalindicators rounds its RSI to two decimals");
}

function report(bars: number, engines: Engines): void {
  const speeds = engines.map(({ passes }) => {
    const repeats = Math.ceil(0.01 / time(passes, 3)); // rounds of about 10 ms, and so the warm-up
    const seconds = Array.from({ length: repeats > 1 ? 101 : 11 }, () => time(passes, repeats)).sort(
      (a, b) => a - b,
    );
    return { median: bars / seconds[seconds.length >> 1]! / 1e6, best: bars / seconds[0]! / 1e6 };
  });
  const rival = engines.findIndex(({ name }) => name === "trading-signals");
  for (const [i, { name }] of engines.entries()) {
    const { median, best } = speeds[i]!;
    const ratios = [rival, engines.length - 1].map(
      (other) => `${(median / speeds[other]!.median).toFixed(1)}x of ${engines[other]!.name}`,
    );
    const speed = `${median.toFixed(2).padStart(6)} M bars/s, best round ${best.toFixed(2).padStart(6)}`;
    const each = `${(median * LABELS.length).toFixed(1).padStart(6)} M/s per indicator`;
    console.log(`  ${name.padEnd(20)}${speed}, ${each}, ${ratios.join(", ")}`);
  }
}

/** Seconds for one pass over every series, averaged over `repeats` passes. */
function time(passes: readonly (() => Last)[], repeats: number): number {
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) for (const pass of passes) pass();
  return (performance.now() - start) / 1000 / repeats;
}

/** Deterministic random walks with opening gaps, mean-reverting to a price of 100. */
function walks(size: number, series: number): readonly Prices[] {
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: series }, () => {
    const high = new Float64Array(size);
    const low = new Float64Array(size);
    const close = new Float64Array(size);
    for (let i = 0, price = 100; i < size; i++) {
      const open = price + (random() - 0.5) / 2;
      price += (random() - 0.5) * 2 - (price - 100) * 0.01;
      high[i] = Math.max(open, price) + random();
      low[i] = Math.min(open, price) - random();
      close[i] = price;
    }
    return { high, low, close };
  });
}

function last<T>(values: ArrayLike<T>): T {
  return values[values.length - 1]!;
}
