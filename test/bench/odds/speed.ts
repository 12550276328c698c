import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { closedFormPlan, closedFormVolatility } from "../../../src/analytics/odds/closed-form.ts";
import { simulatePaths } from "../../../src/analytics/odds/paths.ts";
import { ODDS_BARS, rangeModel } from "../../../src/analytics/odds/range-model.ts";
import { median } from "../../../src/analytics/statistics.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { ATR_PLAN } from "./plan.ts";
import { HORIZONS } from "./walk.ts";

const PATHS = 2_000;
const CALLS = 200;
const PLANS = 5_000;
const ROUNDS = 5;

export interface Speed {
  /** Median of the model and 2,000 paths of 60 bars for one symbol, ms. */
  readonly paths: number;
  /** 5,000 plans in closed form, ms. */
  readonly plans: number;
  /** The same with the volatility from 1,251 bars, ms. */
  readonly screen: number;
}

/** Times forecasts, in processor time, at the last bars of series that are long enough, after a warm-up. */
export function speedOf(series: readonly Bars[]): Speed {
  const newest = series.map((bars) => sliceBars(bars, Math.max(0, bars.close.length - ODDS_BARS)));
  const times: number[] = [];
  for (let call = -newest.length; call < Math.max(CALLS, newest.length); call++) {
    const bars = newest[(call + newest.length) % newest.length]!;
    const took = timed(() =>
      simulatePaths(rangeModel(bars), {
        paths: PATHS,
        drift: 0,
        horizons: HORIZONS,
        random: seededRandom(call),
      }),
    );
    if (call >= 0) times.push(took);
  }
  const plan = { stop: -0.03, target: 0.085 };
  const states = newest.flatMap((bars) => {
    const range = atr(bars.high, bars.low, bars.close, 14).at(-1)!;
    return range > 0 ? [{ bars, range }] : [];
  });
  const volatilityOf = ({ bars, range }: (typeof states)[number]) =>
    closedFormVolatility(bars, range, ATR_PLAN.bars);
  const volatilities = states.map(volatilityOf);
  const each = (call: (i: number) => void) => {
    for (let i = 0; i < PLANS; i++) call(i % states.length);
  };
  const planOf = (volatility: number) => closedFormPlan(plan, { volatility, drift: 0.004 });
  const plans = () => each((i) => planOf(volatilities[i]!));
  const screen = () => each((i) => planOf(volatilityOf(states[i]!)));
  plans();
  screen();
  const roundsOf = (call: () => void) => median(Array.from({ length: ROUNDS }, () => timed(call)))!;
  return { paths: median(times)!, plans: roundsOf(plans), screen: roundsOf(screen) };
}

/** Returns the processor time of a call, ms: unlike the clock, it does not depend on what else the machine does. */
function timed(call: () => void): number {
  const start = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
