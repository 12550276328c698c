import fc from "fast-check";
import { expect } from "vitest";

/**
 * Every run draws the same cases, so that a failure repeats. `FC_SEED=<number>` draws others, `FC_RUNS=<number>` sets how many,
 * and `TEST_SCALE=full` draws four times as many in the slowest properties (test/support/draws.ts).
 */
fc.configureGlobal({
  seed: Number(process.env.FC_SEED ?? 20_260_102),
  numRuns: Number(process.env.FC_RUNS ?? 60),
});

// without this, a RegExp in toMatchObject accepts every text: vitest compares its properties, of which it has none
expect.addEqualityTesters([
  (received, expected) =>
    expected instanceof RegExp && !(received instanceof RegExp)
      ? typeof received === "string" && expected.test(received)
      : undefined,
]);
