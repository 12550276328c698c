import type { Side } from "../../../src/analytics/levels/side.ts";
import { mean } from "../../../src/analytics/statistics.ts";
import type { BlockOf, Estimate } from "./bootstrap.ts";
import { calibrationEstimate } from "./calibration.ts";
import { SIDES } from "./plan.ts";
import type { PlanScore, StopAndTarget } from "./walk.ts";

/** A way to compute the odds of a plan. */
interface Method {
  readonly name: string;
  /** true: the odds are shares of paths, which have a sampling error. */
  readonly isSampled: boolean;
  /** Returns the odds; null for a coin in closed form. */
  readonly oddsOf: (plan: PlanScore) => StopAndTarget | null;
}

const LONGEST: Method = {
  name: "1,251 bars",
  isSampled: true,
  oddsOf: ({ stopOdds, odds }) => ({ stop: stopOdds, target: odds }),
};
const NEWEST: Method = { name: "newest 500 bars", isSampled: true, oddsOf: ({ newest }) => newest };
const CLOSED_FORM: Method = {
  name: "closed form",
  isSampled: false,
  oddsOf: ({ closedForm }) => closedForm,
};

/** Calibration errors of the odds of the plans of a side, 0-1. */
export interface PlanCalibration {
  readonly side: Side;
  readonly method: string;
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

/** Returns the calibration errors of each side and method that has odds. */
export const planCalibrations = (plans: readonly PlanScore[], blockOf: BlockOf): readonly PlanCalibration[] =>
  SIDES.flatMap((side) =>
    [LONGEST, NEWEST, CLOSED_FORM].flatMap(({ name, oddsOf }) => {
      const own = plans.flatMap((plan) => {
        const odds = plan.side === side ? oddsOf(plan) : null;
        return odds === null ? [] : { plan, odds };
      });
      if (own.length === 0) return [];
      const stops = own.map(({ plan, odds }) => ({
        time: plan.time,
        odds: odds.stop,
        happened: plan.isStopped,
      }));
      const targets = own.map(({ plan, odds }) => ({
        time: plan.time,
        odds: odds.target,
        happened: plan.happened,
      }));
      return {
        side,
        method: name,
        stop: calibrationEstimate(stops, blockOf),
        target: calibrationEstimate(targets, blockOf),
      };
    }),
  );

/** Returns the differences between methods, of all plans that have odds by both; `paths` is the number of paths of each. */
export const planDifferences = (plans: readonly PlanScore[], paths: number): readonly PlanDifference[] =>
  (
    [
      [NEWEST, LONGEST],
      [CLOSED_FORM, LONGEST],
      [CLOSED_FORM, NEWEST],
    ] as const
  ).flatMap((methods) => {
    const [first, second] = methods;
    const pairs = plans.flatMap((plan) => {
      const [odds, otherOdds] = [first.oddsOf(plan), second.oddsOf(plan)];
      return odds === null || otherOdds === null ? [] : [[odds, otherOdds] as const];
    });
    if (pairs.length === 0) return [];
    const differenceOf = (end: keyof StopAndTarget): Difference => {
      const sizes = pairs.map(([odds, otherOdds]) => Math.abs(odds[end] - otherOdds[end]));
      const errors = pairs.map((pair) => {
        const variances = methods.map(({ isSampled }, i) =>
          isSampled ? (pair[i]![end] * (1 - pair[i]![end])) / paths : 0,
        );
        // the mean absolute value of a normal variable
        return Math.sqrt((2 / Math.PI) * (variances[0]! + variances[1]!));
      });
      return {
        mean: mean(sizes),
        largest: sizes.reduce((largest, size) => Math.max(largest, size)),
        sampling: mean(errors),
      };
    };
    return {
      methods: [first.name, second.name],
      plans: pairs.length,
      stop: differenceOf("stop"),
      target: differenceOf("target"),
    };
  });
