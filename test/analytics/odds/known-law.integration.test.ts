import { describe, expect, it } from "vitest";
import { normalCdf, normalQuantile } from "../../../src/analytics/backtest/normal.ts";
import { type Random, seededRandom } from "../../../src/analytics/backtest/random.ts";
import { type Odds, oddsOf } from "../../../src/analytics/odds/odds.ts";
import { QUANTILES } from "../../../src/analytics/odds/quantiles.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import type { AssetClass } from "../../../src/domain/market/market.ts";
import { brownianPlan } from "../../bench/odds/brownian.ts";
import { atScale } from "../../support/draws.ts";
import { average } from "./plain.ts";

/**
 * Series of bars of a known law, on each of which odds are compared with the truth.
 *
 * The price is a Brownian motion within each bar, so that given the variances of the bars ahead, V in total, a level L
 * (log) is touched with probability 2 Phi(-L / sqrt(V)) if there is no drift: the truth is exact for a constant
 * volatility, and the mean of this over simulated futures for the others.
 *
 * How far may the mean forecast be from the truth if the method is right? The forecast of a series is the truth at a
 * volatility that is wrong by a factor exp(n), because it is estimated:
 * - from 22 or so ranges. With the weight w(i) of the i-th last bar, X varies by the sum of w(i)^2 times the variance of
 *   x. The log of the range of a Brownian motion has a standard deviation of .29 (Alizadeh, Brandt and Diebold 2002), so
 *   x of .58; w is .231 once, .087 four times, .017 17 times: .089 x .34 = .030; falls add less than .008. Bar and
 *   forecast each have this error, and n is half their difference, so that its variance T is .019 at most (at one bar:
 *   less beyond, where paths return to the mean).
 * - from a bank of 1,000 bars, whose variance has a relative error of sqrt(2 / 1000): n of .022 a series.
 * n has a mean of 0, so the mean over series errs by T/2 times the second derivative of P(n) = 2 Phi(-k exp(-n)), which
 * is 2 k (k^2 - 1) phi(k), nowhere more than .65: BIAS = .65 x .02 / 2. What is left is noise of the mean: the standard
 * error of n, of the paths and of the futures, estimated from the forecasts themselves, times 4.
 * A quantile, k deviations from the middle, errs likewise by T/2 times (k + k^3) at most.
 *
 * These laws know no effect of falls, the method does: a fall raises the variance of the next bar by .076 |z|, and by
 * less that of later ones. E[z min(z, 0)] is 1/2, so the third moment of the sum of h bars is 3 x .038 h, times 1.3 at
 * most for later bars within 5 (longer sums gain more from them, but less than the root of h by which skewness falls):
 * the skewness is at most .15 / sqrt(5) = .07. The median lies a sixth of that above the mean, other quantiles move by
 * (k^2 - 1) sixths (Cornish and Fisher), and odds by at most twice the density of a normal variable times that, up on
 * one side and down on the other: sides are compared with this allowance, both together without it.
 */
const T = 0.02;
const BIAS = 0.65 * (T / 2);
const FALLS = 0.07 / 6;
const FALLS_BIAS = 2 * 0.4 * FALLS;
/** x varies more where variances do: that of the log of chi-squared with 5 degrees is .49. */
const FAT_T = (T * (0.34 + 0.49)) / 0.34;

const SERIES = atScale(60, 1_000);
const COUNT = 1_251;
const HORIZONS = [5, 20, 60];
const DAILY = 0.012;
const STEPS = 8;

/** A law of the variances of bars; `next` draws that of the next bar. */
interface Law {
  readonly start: (random: Random) => VarianceProcess;
}
interface VarianceProcess {
  readonly next: () => number;
  /** The same state with other random numbers. */
  readonly fork: (random: Random) => VarianceProcess;
}

const normal = (random: Random) =>
  Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());

const constant: Law = {
  start: () => {
    const process: VarianceProcess = { next: () => DAILY ** 2, fork: () => process };
    return process;
  },
};

/** Returns of Student's t with five degrees of freedom: a normal one over the root of chi-squared, with variance DAILY^2. */
const fatTails: Law = {
  start: (random) => ({
    next: () => {
      let chi = 0;
      for (let i = 0; i < 5; i++) chi += normal(random) ** 2;
      return (DAILY ** 2 * 3) / chi;
    },
    fork: fatTails.start,
  }),
};

const QUIET = 0.008;
const WILD = 0.022;
const regimesFrom = (state: boolean, random: Random): VarianceProcess => {
  let wild = state;
  return {
    next: () => {
      if (random.unit() < 0.02) wild = !wild;
      return (wild ? WILD : QUIET) ** 2;
    },
    fork: (other) => regimesFrom(wild, other),
  };
};
/** Volatilities of .8 and 2.2 %, each for 50 bars on average. */
const regimes: Law = { start: (random) => regimesFrom(random.unit() < 0.5, random) };

/** Draws a series and returns the state of its law after the last bar. */
function drawSeries(law: Law, drift: number, seed: number) {
  const random = seededRandom(seed);
  const process = law.start(random);
  const column = () => new Float64Array(COUNT);
  const bars: Bars = {
    time: Float64Array.from({ length: COUNT }, (_, i) => 86_400_000 * (10_000 + i)),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column().fill(1_000),
    timeframe: "1d",
    adjustment: "split",
    zone: "UTC",
  };
  let log = Math.log(100);
  for (let bar = 0; bar < COUNT; bar++) {
    const variance = process.next() / STEPS;
    let [high, low] = [log, log];
    bars.open[bar] = Math.exp(log);
    for (let step = 0; step < STEPS; step++) {
      const change = drift / STEPS + Math.sqrt(variance) * normal(random);
      // extremes of the Brownian bridge between both ends of the step
      const reach = () => Math.sqrt(change ** 2 - 2 * variance * Math.log(1 - random.unit()));
      high = Math.max(high, log + (change + reach()) / 2);
      low = Math.min(low, log + (change - reach()) / 2);
      log += change;
    }
    bars.close[bar] = Math.exp(log);
    bars.high[bar] = Math.max(Math.exp(high), bars.open[bar]!, bars.close[bar]!);
    bars.low[bar] = Math.min(Math.exp(low), bars.open[bar]!, bars.close[bar]!);
  }
  return { bars, process };
}

/** Distances of the levels: .5, 1 and 2 deviations of 20 bars, above and below. */
const LEVELS = [0.5, 1, 2, -0.5, -1, -2].map((k) => k * DAILY * Math.sqrt(20));
const PLAN = { stop: -3 * DAILY, target: 5 * DAILY, bars: 20 };

function forecast(bars: Bars, assetClass: AssetClass, seed: number): Odds {
  const close = bars.close.at(-1)!;
  const { odds, reason } = oddsOf({
    bars,
    symbol: `S${seed}`,
    assetClass,
    horizons: HORIZONS,
    levels: LEVELS.map((level) => close * Math.exp(level)),
    plan: {
      side: "LONG",
      stop: close * Math.exp(PLAN.stop),
      target: close * Math.exp(PLAN.target),
      bars: PLAN.bars,
    },
    paths: 1_000,
  });
  if (odds === null) throw new Error(reason);
  return odds;
}

interface Forecast {
  readonly odds: Odds;
  readonly process: VarianceProcess;
}

const forecastsOf = (law: Law, assetClass: AssetClass, drift = 0): Forecast[] =>
  Array.from({ length: SERIES }, (_, i) => {
    const { bars, process } = drawSeries(law, drift, 1_000 + i);
    return { odds: forecast(bars, assetClass, i), process };
  });

/** Returns the total variances of simulated futures, by horizon. */
function futuresOf(process: VarianceProcess, count: number, seed: number): number[][] {
  const random = seededRandom(seed);
  const totals = HORIZONS.map(() => new Array<number>(count));
  for (let i = 0; i < count; i++) {
    const future = process.fork(random);
    let total = 0;
    for (let bar = 1; bar <= HORIZONS.at(-1)!; bar++) {
      total += future.next();
      const at = HORIZONS.indexOf(bar);
      if (at >= 0) totals[at]![i] = total;
    }
  }
  return totals;
}

const touchOdds = (level: number, variance: number) => 2 * normalCdf(-Math.abs(level) / Math.sqrt(variance));

/** Asserts that the mean of differences is 0 within a bound and four standard errors; `maxDeviation` is that of one. */
function expectMeanWithin(
  differences: readonly number[],
  {
    bound,
    maxDeviation,
    name,
  }: { readonly bound: number; readonly maxDeviation: number; readonly name: string },
) {
  const middle = average(differences);
  const deviation = Math.sqrt(average(differences.map((difference) => (difference - middle) ** 2)));
  expect(deviation, `deviation of ${name}`).toBeLessThan(maxDeviation);
  expect(Math.abs(middle), `mean error of ${name}`).toBeLessThan(
    bound + (4 * deviation) / Math.sqrt(differences.length - 1),
  );
}

/** Asserts mean differences of all touch odds, of each side and of both; `truthOf` returns the true odds of a forecast. */
function expectTouches(
  forecasts: readonly Forecast[],
  limits: { readonly bound: number; readonly maxDeviation: number },
  truthOf: (level: number, horizon: number, forecast: number) => number,
) {
  const sides = LEVELS.length / 2;
  for (const [j, horizon] of HORIZONS.entries()) {
    const errors = LEVELS.map((level, i) =>
      forecasts.map(({ odds }, n) => odds.levels[i]!.touch[j]!.odds - truthOf(level, j, n)),
    );
    for (const [i, level] of LEVELS.entries()) {
      const name = `touches of ${level.toFixed(3)} in ${horizon} bars`;
      expectMeanWithin(errors[i]!, { ...limits, bound: limits.bound + FALLS_BIAS, name });
      if (i >= sides) continue;
      const both = errors[i]!.map((error, n) => (error + errors[i + sides]![n]!) / 2);
      expectMeanWithin(both, { ...limits, name: `both ${name}` });
    }
  }
}

describe("odds of a market whose law is known", () => {
  it("are those of the reflection principle if the volatility is constant", () => {
    const forecasts = forecastsOf(constant, "crypto");
    expectTouches(forecasts, { bound: BIAS, maxDeviation: 0.05 }, (level, j) =>
      touchOdds(level, HORIZONS[j]! * DAILY ** 2),
    );
    for (const [j, horizon] of HORIZONS.entries())
      for (const [q, share] of QUANTILES.entries()) {
        const k = normalQuantile(share);
        const deviation = DAILY * Math.sqrt(horizon);
        expectMeanWithin(
          forecasts.map(({ odds }) => Math.log(odds.horizons[j]!.quantiles[q]! / odds.close) / deviation - k),
          {
            bound: (T / 2) * (Math.abs(k) + Math.abs(k) ** 3) + FALLS * Math.abs(k * k - 1),
            maxDeviation: 0.25,
            name: `quantile ${share} of ${horizon} bars`,
          },
        );
      }
    const truth = brownianPlan(PLAN, { volatility: DAILY * Math.sqrt(PLAN.bars), drift: 0 });
    // of two touches, each within BIAS
    for (const part of ["stop", "target", "neither"] as const)
      expectMeanWithin(
        forecasts.map(({ odds }) => odds.plan!.odds[part] - truth[part]),
        { bound: 2 * BIAS + FALLS_BIAS, maxDeviation: 0.06, name: `plans: ${part}` },
      );
  });

  it("have the planted drift if it is the assumed one", () => {
    const drift = 2e-4;
    const forecasts = forecastsOf(constant, "equity", drift);
    expectTouches(forecasts, { bound: BIAS, maxDeviation: 0.05 }, (level, j) => {
      const [mean, deviation] = [drift * HORIZONS[j]!, DAILY * Math.sqrt(HORIZONS[j]!)];
      const [ahead, toward] = [Math.abs(level), Math.sign(level) * mean];
      return (
        normalCdf((toward - ahead) / deviation) +
        Math.exp((2 * toward * ahead) / deviation ** 2) * normalCdf((-toward - ahead) / deviation)
      );
    });
    const truth = brownianPlan(PLAN, {
      volatility: DAILY * Math.sqrt(PLAN.bars),
      drift: drift * PLAN.bars,
    });
    for (const part of ["stop", "target"] as const)
      expectMeanWithin(
        forecasts.map(({ odds }) => odds.plan!.odds[part] - truth[part]),
        { bound: 2 * BIAS + FALLS_BIAS, maxDeviation: 0.06, name: `plans: ${part}` },
      );
  });

  it("do not have a drift that is not assumed, however strong it was", () => {
    // 10 standard errors of the mean of all bars, .28 deviations of one. A bank bar whose forecast was too high has less
    // of it, and follows bars after which forecasts on the path are high too: a share T of it returns with the sign
    // changed, in each bar.
    const [perBar, returned] = [10 / Math.sqrt(COUNT), (T * 10) / Math.sqrt(COUNT)];
    const forecasts = forecastsOf(constant, "crypto", perBar * DAILY);
    for (const [j, horizon] of HORIZONS.entries())
      expectMeanWithin(
        forecasts.map(
          ({ odds }) => Math.log(odds.horizons[j]!.quantiles[3]! / odds.close) / (DAILY * Math.sqrt(horizon)),
        ),
        {
          bound: FALLS + returned * Math.sqrt(horizon),
          maxDeviation: 0.1,
          name: `medians of ${horizon} bars`,
        },
      );
  });

  it("are those of simulated futures if tails are fat", () => {
    const forecasts = forecastsOf(fatTails, "crypto");
    const futures = futuresOf(fatTails.start(seededRandom(1)), atScale(2_000, 20_000), 5);
    const truths = LEVELS.map((level) =>
      futures.map((totals) => average(totals.map((variance) => touchOdds(level, variance)))),
    );
    expectTouches(
      forecasts,
      { bound: 0.65 * (FAT_T / 2), maxDeviation: 0.08 },
      (level, j) => truths[LEVELS.indexOf(level)]![j]!,
    );
  });

  it("are within 3 points of simulated futures if the volatility switches, and follow the regime", () => {
    const forecasts = forecastsOf(regimes, "crypto");
    const truths = forecasts.map(({ process }, n) => {
      const futures = futuresOf(process, atScale(100, 1_000), 100 + n);
      return LEVELS.map((level) =>
        futures.map((totals) => average(totals.map((variance) => touchOdds(level, variance)))),
      );
    });
    const truthOf = (level: number, j: number, n: number) => truths[n]![LEVELS.indexOf(level)]![j]!;
    // the method knows neither regime nor law: it is good to about 3 points
    expectTouches(forecasts, { bound: 0.03, maxDeviation: 0.12 }, truthOf);
    // the odds of each series are nearer to those of its regime than its past windows, which mix both
    for (const [i, level] of LEVELS.entries()) {
      if (Math.abs(level) > DAILY * Math.sqrt(20) + 1e-9) continue;
      const missOf = (pick: (touch: Odds["levels"][number]["touch"][number]) => number) =>
        average(
          forecasts.map(({ odds }, n) => Math.abs(pick(odds.levels[i]!.touch[0]!) - truthOf(level, 0, n))),
        );
      expect(missOf(({ odds }) => odds)).toBeLessThan(0.5 * missOf(({ base }) => base!));
    }
  });
});
