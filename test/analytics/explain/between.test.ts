import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { between, valuesBetween } from "../../../src/analytics/explain/between.ts";
import { type CloseEvaluation, closeEvaluator } from "../../../src/analytics/explain/close-evaluator.ts";
import { kinksOf } from "../../../src/analytics/explain/kinks.ts";
import { inputFor } from "../../support/consensus-input.ts";
import { draws } from "../../support/draws.ts";
import { wildBars } from "../../support/wild-bars.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const made = fc.record({
  seed: fc.integer({ min: 1, max: 9999 }),
  /** Ranges of the last bars, in multiples of the usual range; some bars gap and some have no volume. */
  last: fc.array(fc.double({ min: 0, max: 25, noNaN: true }), { maxLength: 6 }),
  /** Positions of the two evaluations within each segment, and positions between them. */
  ends: fc.tuple(share, share),
  inside: fc.array(share, { minLength: 3, maxLength: 3 }),
});
const ROUNDING = 1e-9;

/** Every driver, grade and direction of an evaluation lies within the bounds from its two ends. */
function expectWithin(evaluation: CloseEvaluation, low: CloseEvaluation, high: CloseEvaluation): void {
  for (const [i, { id, value }] of evaluation.drivers.entries()) {
    const known = low.drivers[i]!.value !== null && high.drivers[i]!.value !== null;
    expect(value !== null, id).toBe(known);
    if (value === null) continue;
    const [least, most] = valuesBetween(low, high, i);
    expect(value, id).toBeGreaterThanOrEqual(least - ROUNDING);
    expect(value, id).toBeLessThanOrEqual(most + ROUNDING);
  }
  const bounds = between(low, high)!;
  expect(bounds.directions).toContain(evaluation.verdict.direction);
  expect(evaluation.rank).toBeGreaterThanOrEqual(bounds.ranks[0]);
  expect(evaluation.rank).toBeLessThanOrEqual(bounds.ranks[1]);
}

describe("between", () => {
  it("bounds every driver and verdict between two closes without a kink between them", () => {
    fc.assert(
      fc.property(made, ({ seed, last, ends, inside }) => {
        const input = inputFor(wildBars(seed, 320, last));
        const { close, stage } = driverContext(input.bars, input.assetClass);
        const lookAt = closeEvaluator(input, stage);
        const [bottom, top] = [0.7 * close, 1.3 * close];
        const { bends, jumps } = kinksOf(input.bars);
        const kinks = [bottom, ...bends, ...jumps, close, top]
          .filter((price) => price >= bottom && price <= top)
          .sort((one, other) => one - other);
        for (let piece = 1; piece < kinks.length; piece++) {
          const nudge = ROUNDING * close;
          const [start, width] = [kinks[piece - 1]! + nudge, kinks[piece]! - kinks[piece - 1]! - 2 * nudge];
          if (width <= 0) continue;
          const [low, high] = [...ends].sort((a, b) => a - b).map((end) => lookAt(start + end * width));
          for (const part of inside)
            expectWithin(lookAt(low!.close + part * (high!.close - low!.close)), low!, high!);
        }
      }),
      { numRuns: draws(60) },
    );
  });
});

describe("valuesBetween", () => {
  const evaluation = closeEvaluator(inputFor(wildBars(1, 300, [])), 2)(100);
  /** An evaluation with a different value of one driver. */
  const where = (
    id: string,
    value: number,
    more: Partial<CloseEvaluation> = {},
    inputs = {},
  ): CloseEvaluation => ({
    ...evaluation,
    drivers: evaluation.drivers.map((driver) => (driver.id === id ? { ...driver, value, inputs } : driver)),
    ...more,
  });
  const of = (id: string, low: CloseEvaluation, high: CloseEvaluation) =>
    valuesBetween(
      low,
      high,
      evaluation.drivers.findIndex((driver) => driver.id === id),
    );

  it("bounds a monotonic driver by its values at both ends", () => {
    expect(of("x_lowvol", where("x_lowvol", 0.5), where("x_lowvol", -0.5))).toEqual([-0.5, 0.5]);
  });

  it("allows the volatility scale of either end", () => {
    // .4 at scale 1 is .2 at 2, .3 at 2 is .6 at 1; a value at its limit may exceed it unclipped.
    expect(of("m_roc20", where("m_roc20", 0.4, { v: 1 }), where("m_roc20", 0.3, { v: 2 }))).toEqual([
      0.2, 0.6,
    ]);
    expect(of("m_roc20", where("m_roc20", -1, { v: 2 }), where("m_roc20", 1, { v: 1 }))).toEqual([-1, 1]);
  });

  it("bounds a product by the corners of its factors", () => {
    // Band positions .25 and .75 give -.5 and .5; shares of wider bands are .8 and .2.
    const inputs = (percent_b: number, width_rank: number) => ({ percent_b, width_rank });
    const [low, high] = [
      where("x_squeeze", -0.4, {}, inputs(0.25, 0.2)),
      where("x_squeeze", 0.1, {}, inputs(0.75, 0.8)),
    ];
    expect(of("x_squeeze", low, high)).toEqual([-0.4, 0.4]);
  });

  it("widens the bounds of Supertrend if its direction flips or the close is beyond it", () => {
    const line = (value: number, direction: number, supertrend: number) =>
      where("t_super", value, {}, { direction, supertrend });
    expect(of("t_super", line(-0.8, -1, 105), line(0.6, 1, 95))).toEqual([-1, 1]);
    expect(of("t_super", line(0.7, 1, 95), line(0.9, 1, 95))).toEqual([0.7, 0.9]);
    expect(of("t_super", line(0.7, 1, 105), line(0.9, 1, 95))).toEqual([0.5, 0.9]);
  });
});
