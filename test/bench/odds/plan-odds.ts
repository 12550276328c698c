import type { Side } from "../../../src/analytics/levels/side.ts";
import { mean } from "../../../src/analytics/statistics.ts";
import type { AssetClass } from "../../../src/domain/market/market.ts";
import type { BlockOf, Estimate } from "./bootstrap.ts";
import { calibrationEstimate } from "./calibration.ts";
import { SIDES } from "./plan.ts";
import type { PlanScore, StopAndTarget } from "./walk.ts";

/** A way to compute the odds of a plan. */
interface Method {
  readonly name: string;
  readonly oddsOf: (plan: PlanScore) => StopAndTarget;
}

const LONGEST: Method = {
  name: "1,251 bars",
  oddsOf: ({ stopOdds, odds }) => ({ stop: stopOdds, target: odds }),
};
const NEWEST: Method = { name: "newest 500 bars", oddsOf: ({ newest }) => newest };

/** Calibration errors of the odds of the plans of a side, 0-1. */
export interface PlanCalibration {
  readonly side: Side;
  readonly method: string;
  readonly plans: number;
  readonly stop: Estimate;
  readonly target: Estimate;
}

/** Absolute differences of odds of the same plans, 0-1. */
export interface Difference {
  readonly mean: number;
  readonly largest: number;
  /** Mean difference that the sampling error of the paths alone would cause. */
  readonly sampling: number;
}

/** Differences between two methods. */
export interface PlanDifference {
  readonly methods: readonly [string, string];
  readonly plans: number;
  readonly stop: Difference;
  readonly target: Difference;
}

/** Returns the calibration errors of each side and method. */
export const planCalibrations = (plans: readonly PlanScore[], blockOf: BlockOf): readonly PlanCalibration[] =>
  SIDES.flatMap((side) =>
    [LONGEST, NEWEST].flatMap(({ name, oddsOf }) => {
      const own = plans.filter((plan) => plan.side === side);
      if (own.length === 0) return [];
      const errorOf = (end: keyof StopAndTarget, happened: (plan: PlanScore) => boolean) =>
        calibrationEstimate(
          own.map((plan) => ({ time: plan.time, odds: oddsOf(plan)[end], happened: happened(plan) })),
          blockOf,
        );
      return {
        side,
        method: name,
        plans: own.length,
        stop: errorOf("stop", ({ isStopped }) => isStopped),
        target: errorOf("target", ({ happened }) => happened),
      };
    }),
  );

/** Returns the differences between methods, of all plans; `paths` is the number of paths of each. */
export function planDifferences(plans: readonly PlanScore[], paths: number): readonly PlanDifference[] {
  if (plans.length === 0) return [];
  const pairs = plans.map((plan) => [NEWEST.oddsOf(plan), LONGEST.oddsOf(plan)] as const);
  const differenceOf = (end: keyof StopAndTarget): Difference => {
    const sizes = pairs.map(([odds, otherOdds]) => Math.abs(odds[end] - otherOdds[end]));
    const errors = pairs.map((pair) => {
      const variance = pair.reduce((sum, odds) => sum + (odds[end] * (1 - odds[end])) / paths, 0);
      // the mean absolute value of a normal variable
      return Math.sqrt((2 / Math.PI) * variance);
    });
    return {
      mean: mean(sizes),
      largest: sizes.reduce((largest, size) => Math.max(largest, size)),
      sampling: mean(errors),
    };
  };
  return [
    {
      methods: [NEWEST.name, LONGEST.name],
      plans: pairs.length,
      stop: differenceOf("stop"),
      target: differenceOf("target"),
    },
  ];
}

/** Calibration error of the odds that the target of a plan is reached first, of one asset class and side. */
export interface PlanError {
  readonly assetClass: AssetClass;
  readonly side: Side;
  readonly plans: number;
  readonly error: Estimate;
}

/** Returns the calibration errors of the odds of targets, which are the confidence of a signal, by asset class. */
export const planErrors = (
  plans: ReadonlyMap<AssetClass, readonly PlanScore[]>,
  blockOf: BlockOf,
): readonly PlanError[] =>
  [...plans].flatMap(([assetClass, own]) =>
    planCalibrations(own, blockOf)
      .filter(({ method }) => method === LONGEST.name)
      .map(({ side, plans: count, target }) => ({ assetClass, side, plans: count, error: target })),
  );
