import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { oddsOf } from "../../../src/analytics/odds/odds.ts";
import { simulatePaths } from "../../../src/analytics/odds/paths.ts";
import { ODDS_BARS, rangeModel } from "../../../src/analytics/odds/range-model.ts";
import { median } from "../../../src/analytics/statistics.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { ATR_PLAN } from "./plan.ts";
import { HORIZONS } from "./walk.ts";

const PATHS = 2_000;
const CALLS = 200;

export interface Speed {
  /** Median of the model and 2,000 paths of 60 bars for one symbol, ms. */
  readonly paths: number;
  /** Median of the odds of a row of a nightly run: the model, 4,000 paths of 20 bars with a plan, and its base, ms. */
  readonly row: number;
}

/** Times forecasts, in processor time, at the last bars of series that are long enough, after a warm-up. */
export function speedOf(series: readonly Bars[]): Speed {
  const newest = series.map((bars) => sliceBars(bars, Math.max(0, bars.close.length - ODDS_BARS)));
  const medianOf = (forecast: (bars: Bars, call: number) => void): number => {
    const times: number[] = [];
    for (let call = -newest.length; call < Math.max(CALLS, newest.length); call++) {
      const bars = newest[(call + newest.length) % newest.length]!;
      const took = timed(() => forecast(bars, call));
      if (call >= 0) times.push(took);
    }
    return median(times)!;
  };
  return {
    paths: medianOf((bars, call) =>
      simulatePaths(rangeModel(bars), {
        paths: PATHS,
        drift: 0,
        horizons: HORIZONS,
        random: seededRandom(call),
      }),
    ),
    row: medianOf((bars) => {
      const close = bars.close.at(-1)!;
      const plan = { side: "LONG", stop: 0.97 * close, target: 1.085 * close, bars: ATR_PLAN.bars } as const;
      oddsOf({ bars, symbol: "ROW", assetClass: "equity", horizons: [ATR_PLAN.bars], plan });
    }),
  };
}

/** Returns the processor time of a call, ms: unlike the clock, it does not depend on what else the machine does. */
function timed(call: () => void): number {
  const start = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
