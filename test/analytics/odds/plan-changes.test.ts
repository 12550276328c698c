import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { oddsOf, PATHS } from "../../../src/analytics/odds/odds.ts";
import { pastPlanOutcomes } from "../../../src/analytics/odds/past-windows.ts";
import { simulatePaths } from "../../../src/analytics/odds/paths.ts";
import { changedOdds, planChanges } from "../../../src/analytics/odds/plan-changes.ts";
import { rangeModel } from "../../../src/analytics/odds/range-model.ts";
import { oddsSeed } from "../../../src/analytics/odds/seed.ts";
import { variance } from "../../../src/analytics/statistics.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { splitAt, syntheticBars } from "../../support/synthetic-bars.ts";

const LENGTH = 20;
const planOf = (
  bars: Bars,
  {
    side = "LONG",
    stop = 0.04,
    target = 0.06,
  }: { side?: "LONG" | "SHORT"; stop?: number; target?: number } = {},
) => {
  const close = bars.close.at(-1)!;
  const away = side === "LONG" ? 1 : -1;
  return { side, stop: close * (1 - away * stop), target: close * (1 + away * target), bars: LENGTH };
};
const request = (bars: Bars, over: Partial<Parameters<typeof planChanges>[0]> = {}) => ({
  bars,
  symbol: "TEST",
  assetClass: "equity" as const,
  plan: planOf(bars),
  atr: 0.02 * bars.close.at(-1)!,
  assumptions: true,
  ...over,
});
type Request = ReturnType<typeof request>;
const changesOf = (input: Request) => {
  const { changes } = planChanges(input);
  return (name: string) => changes.find(({ change }) => change === name)!;
};
const oddsWith = ({ bars, symbol, assetClass, plan }: Request) =>
  oddsOf({ bars, symbol, assetClass, horizons: [], plan, withBase: false }).odds!.plan!.odds;

/** Bars whose daily range is four times as wide in every fifth stretch of 40. */
const stormy = (seed: number, count: number): Bars => {
  const bars = syntheticBars(seed, count);
  const widened = (column: Float64Array, away: number) =>
    column.map((price, i) => (Math.floor(i / 40) % 5 === 0 ? price * (1 + away * 0.06) : price));
  return { ...bars, high: widened(bars.high, 1), low: widened(bars.low, -1) };
};

describe("the odds of a changed plan", () => {
  it("count stops, targets and neither by bars: the open first, then the stop, then the target", () => {
    // five paths of two bars; stop at -2, target at 3
    const paths = {
      length: 2,
      open: Float64Array.from([0, 0, 0, -3, 0, 4, 0, 0, 0, 0]),
      high: Float64Array.from([1, 3, 4, 4, 1, 5, 4, 4, 2.9, 2.9]),
      low: Float64Array.from([-1, -1, -1, -3, -1, -3, -2, -2, -1.9, -1.9]),
    };
    // target in the second bar; target at once; gap over the target; both in one bar: the stop; neither
    expect(changedOdds(paths, { side: "LONG", stop: -2, target: 3 })).toEqual({
      stop: 0.2,
      target: 0.6,
      neither: 0.2,
    });
    // seen from the short side with the same prices: stop at 3, target at -2
    expect(changedOdds(paths, { side: "SHORT", stop: 3, target: -2 })).toEqual({
      stop: 0.8,
      target: 0,
      neither: 0.2,
    });
  });

  it("take a drift off every bar", () => {
    const flat = {
      length: 3,
      open: new Float64Array(3),
      high: new Float64Array(3),
      low: new Float64Array(3),
    };
    const plan = { side: "LONG", stop: -2.5, target: 9 } as const;
    expect(changedOdds(flat, plan, 0.8).neither).toBe(1);
    expect(changedOdds(flat, plan, 0.9).stop).toBe(1);
  });

  it("are those of the simulation for the same plan", () => {
    const model = rangeModel(syntheticBars(5, 500));
    const level = fc.double({ min: 0.002, max: 0.2, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom("LONG" as const, "SHORT" as const), level, level, (side, risk, gain) => {
        const away = side === "LONG" ? 1 : -1;
        const plan = { side, stop: -away * risk, target: away * gain };
        const { plan: counted, bars } = simulatePaths(model, {
          paths: 300,
          drift: 2e-4,
          random: seededRandom(9),
          horizons: [LENGTH],
          plan,
          withBars: true,
        });
        const { stop, target, neither } = counted!;
        expect(changedOdds(bars!, plan)).toEqual({
          stop: stop / 300,
          target: target / 300,
          neither: neither / 300,
        });
      }),
      { numRuns: 30 },
    );
  });
});

describe("the changes of a plan's odds", () => {
  const bars = syntheticBars(3, 500);

  it("move the stop by half an ATR14 and the target to two thirds of its distance, at ticks", () => {
    for (const side of ["LONG", "SHORT"] as const) {
      const plan = planOf(bars, { side });
      const away = side === "LONG" ? 1 : -1;
      const close = bars.close.at(-1)!;
      const change = changesOf(request(bars, { plan, atr: 2 }));
      const cents = (price: number) => Math.round(100 * price) / 100;
      expect(change("stop_farther").price).toBeCloseTo(cents(plan.stop - away), 10);
      expect(change("stop_nearer").price).toBeCloseTo(cents(plan.stop + away), 10);
      expect(change("target_nearer").price).toBeCloseTo(cents(close + away * 0.04 * close), 10);
    }
  });

  it("are the odds of the moved levels on the same paths", () => {
    const input = request(bars);
    const change = changesOf(input);
    for (const name of ["stop_farther", "stop_nearer"])
      expect(change(name).odds).toEqual(
        oddsWith({ ...input, plan: { ...input.plan, stop: change(name).price! } }),
      );
    expect(change("target_nearer").odds).toEqual(
      oddsWith({ ...input, plan: { ...input.plan, target: change("target_nearer").price! } }),
    );
  });

  it("have the right sign: a farther stop is never likelier to be first, nor a nearer one less likely", () => {
    const plan = fc.record({
      seed: fc.integer({ min: 1, max: 1_000 }),
      side: fc.constantFrom("LONG" as const, "SHORT" as const),
      stop: fc.double({ min: 0.01, max: 0.1, noNaN: true }),
      target: fc.double({ min: 0.01, max: 0.2, noNaN: true }),
    });
    fc.assert(
      fc.property(plan, ({ seed, ...levels }) => {
        const series = syntheticBars(seed, 200);
        const input = request(series, {
          plan: planOf(series, levels),
          atr: 0.01 * series.close.at(-1)!,
          assumptions: false,
        });
        const now = oddsWith(input);
        const change = changesOf(input);
        const [farther, nearer] = [change("stop_farther").odds!, change("stop_nearer").odds ?? now];
        expect(farther.stop).toBeLessThanOrEqual(now.stop);
        expect(farther.target).toBeGreaterThanOrEqual(now.target);
        expect(nearer.stop).toBeGreaterThanOrEqual(now.stop);
        expect(nearer.target).toBeLessThanOrEqual(now.target);
        const target = change("target_nearer").odds!;
        expect(target.target).toBeGreaterThanOrEqual(now.target);
        expect(target.stop).toBeLessThanOrEqual(now.stop);
        for (const { stop, target: reached, neither } of [farther, nearer, target])
          expect(stop + reached + neither).toBeCloseTo(1, 12);
      }),
      { numRuns: 25 },
    );
  });

  it("take the drift off for stocks, and have no such change for coins, which have none", () => {
    const input = request(bars);
    const paths = PATHS;
    const close = bars.close.at(-1)!;
    const { stop, target, neither } = simulatePaths(rangeModel(bars), {
      paths,
      drift: 0,
      random: seededRandom(oddsSeed("TEST", "1d", bars.time.at(-1)!)),
      horizons: [LENGTH],
      plan: {
        side: input.plan.side,
        stop: Math.log(input.plan.stop / close),
        target: Math.log(input.plan.target / close),
      },
    }).plan!;
    expect(changesOf(input)("no_drift").odds).toEqual({
      stop: stop / paths,
      target: target / paths,
      neither: neither / paths,
    });
    const { changes } = planChanges({ ...input, assetClass: "crypto" });
    expect(changes.map(({ change }) => change)).toEqual([
      "stop_farther",
      "stop_nearer",
      "target_nearer",
      "low_volatility",
      "high_volatility",
    ]);
  });

  it("start from the 10th and the 90th percentile of the forecasts of the last 250 bars", () => {
    // with more than 500 bars before each of them, a forecast does not depend on later bars
    const long = stormy(4, 760);
    const forecasts = Array.from(
      { length: 250 },
      (_, i) => rangeModel(sliceBars(long, 0, 510 + i)).next,
    ).sort((a, b) => a - b);
    const { volatility, changes } = planChanges(request(long));
    const [calm, wild] = ["low_volatility", "high_volatility"].map(
      (name) => changes.find(({ change }) => change === name)!,
    );
    const spread = Math.sqrt(variance(rangeModel(long).bank.close));
    expect(calm!.volatility).toBeCloseTo(spread * Math.exp(forecasts[25]! / 2), 9);
    expect(wild!.volatility).toBeCloseTo(spread * Math.exp(forecasts[224]! / 2), 9);
    expect(volatility).toBeCloseTo(spread * Math.exp(rangeModel(long).next / 2), 12);
    expect(wild!.volatility).toBeGreaterThan(1.5 * calm!.volatility!);
    expect(calm!.odds!.neither).toBeGreaterThan(wild!.odds!.neither);
  });

  it("touch more often the higher the volatility, and have no odds for a volatility already reached", () => {
    let reached = 0;
    for (let seed = 1; seed <= 20; seed++) {
      // a storm begins at bar 600
      const input = request(stormy(seed, seed % 2 === 0 ? 590 : 615));
      const change = changesOf(input);
      const now = oddsWith(input);
      const [calm, wild] = [change("low_volatility"), change("high_volatility")];
      expect(calm.odds?.neither ?? 1).toBeGreaterThanOrEqual(now.neither);
      expect(wild.odds?.neither ?? 0).toBeLessThanOrEqual(now.neither);
      if (wild.odds !== null) continue;
      reached++;
      expect(wild.reason).toBe(
        "The forecast is already at or above the 90th percentile of the last 250 bars",
      );
    }
    expect(reached).toBeGreaterThan(0);
  });

  it("leave the assumptions alone unless requested", () => {
    const { changes } = planChanges(request(bars, { assumptions: false }));
    expect(changes.map(({ change }) => change)).toEqual(["stop_farther", "stop_nearer", "target_nearer"]);
  });

  it("have the base rates of the moved levels, and none for a changed assumption", () => {
    const input = request(syntheticBars(3, 400));
    const change = changesOf(input);
    const { plan } = input;
    const close = input.bars.close.at(-1)!;
    for (const [name, level] of [
      ["stop_farther", "stop"],
      ["target_nearer", "target"],
    ] as const) {
      const { price, base } = change(name);
      const moved = { ...plan, [level]: price! };
      const logs = {
        side: plan.side,
        stop: Math.log(moved.stop / close),
        target: Math.log(moved.target / close),
      };
      expect(base).toEqual(pastPlanOutcomes(input.bars, logs, plan.bars));
    }
    expect([change("low_volatility").base, change("high_volatility").base]).toEqual([null, null]);
  });

  it("state why there are no odds: too few bars, or a stop past the close or below 0", () => {
    const few = changesOf(request(syntheticBars(3, 369)));
    expect(few("low_volatility")).toEqual({
      change: "low_volatility",
      price: null,
      volatility: null,
      odds: null,
      base: null,
      reason: "250 past forecasts need 370 bars, there are 369",
    });
    expect(changesOf(request(syntheticBars(3, 370)))("high_volatility").reason).toBeNull();
    const wide = changesOf(request(bars, { atr: 2.1 * bars.close.at(-1)! }));
    expect([wide("stop_farther").reason, wide("stop_nearer").reason]).toEqual([
      "The stop would be at or below 0",
      "The stop would be at or past the close",
    ]);
  });

  it("read the same bars as the odds: those from a suspected split on, of the newest 1,251", () => {
    const split = splitAt(syntheticBars(9, 1_500), 900, "raw");
    const whole = request(split);
    expect(planChanges(whole)).toEqual(planChanges({ ...whole, bars: sliceBars(split, 900) }));
    // a stop half an ATR14 farther, by planChanges and by oddsOf of that plan
    const farther = changesOf(whole)("stop_farther");
    const moved = oddsWith({ ...whole, plan: { ...whole.plan, stop: farther.price! } });
    expect(farther.odds).toEqual(moved);
  });

  it("repeat for the same symbol and bars, and have random numbers of their own for each symbol", () => {
    expect(planChanges(request(bars))).toEqual(planChanges(request(bars)));
    expect(planChanges(request(bars, { symbol: "OTHER" }))).not.toEqual(planChanges(request(bars)));
  });
});
