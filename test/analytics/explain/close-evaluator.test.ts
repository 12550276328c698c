import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { closeEvaluator } from "../../../src/analytics/explain/close-evaluator.ts";
import { consensus } from "../../../src/analytics/score/consensus.ts";
import { gradeRank } from "../../../src/analytics/score/tape-columns.ts";
import { inputFor } from "../../support/consensus-input.ts";
import { closedAt } from "../../support/every-tick.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

describe("closeEvaluator", () => {
  it("matches the consensus of such bars exactly", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.double({ min: 0.7, max: 1.3, noNaN: true }),
        (seed, share) => {
          const input = inputFor(syntheticBars(seed, 400));
          const { close, stage } = driverContext(input.bars, input.assetClass);
          const evaluation = closeEvaluator(input, stage)(share * close);
          const expected = consensus(closedAt(input, share * close));
          const { s, direction, grade, reason, drivers, levels } = expected;
          expect(evaluation.verdict).toMatchObject({ s, direction, grade, reason });
          expect(evaluation.verdict.plan.levels).toEqual(levels);
          expect(evaluation.drivers).toEqual(drivers);
          expect(evaluation.rank).toBe(gradeRank(grade));
          if (levels !== null)
            expect(
              Math.abs(evaluation.stop * levels.atr14 - Math.abs(evaluation.close - levels.stop)),
            ).toBeLessThan(0.01);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("does not modify the input", () => {
    const input = inputFor(syntheticBars(7, 300));
    const before = [...input.bars.close, ...input.bars.high, ...input.bars.low];
    closeEvaluator(input, 2)(1000);
    expect([...input.bars.close, ...input.bars.high, ...input.bars.low]).toEqual(before);
  });
});
