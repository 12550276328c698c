import fc from "fast-check";
import { expect } from "vitest";

/**
 * Every run draws the same cases, so that failures are reproducible. `FC_SEED=<number>` changes the seed,
 * `FC_RUNS=<number>` the number of cases, and `TEST_SCALE=full` draws four times as many in the slowest properties
 * (test/support/draws.ts).
 */
fc.configureGlobal({
  seed: Number(process.env.FC_SEED ?? 20_260_102),
  numRuns: Number(process.env.FC_RUNS ?? 60),
});

const TESTERS = Symbol.for("market-signal equality testers");
// this file runs before each file of tests, in a worker that may have run others
if (!(TESTERS in globalThis)) {
  Object.assign(globalThis, { [TESTERS]: true });
  // without this, a RegExp in toMatchObject matches any text: vitest compares its own properties, and it has none
  expect.addEqualityTesters([
    (received, expected) =>
      expected instanceof RegExp && !(received instanceof RegExp)
        ? typeof received === "string" && expected.test(received)
        : undefined,
  ]);
}
