import { expect, it } from "vitest";
import { hostileFaults, unsoundNumbers } from "../support/hostile-kernels.ts";

it("no kernel returns a number that is not finite on hostile series", () => {
  expect(hostileFaults(50, 1)).toEqual([]);
});

it("unsound numbers are found at any depth; NaN is allowed only in columns", () => {
  const result = { a: [1, { b: Number.NaN }], c: new Float64Array([0, -0, Infinity]), d: null };
  expect(unsoundNumbers(result)).toEqual([".a.1.b NaN", ".c.1 -0", ".c.2 Infinity"]);
  expect(unsoundNumbers(result, { allowNaN: true })).toEqual([".c.1 -0", ".c.2 Infinity"]);
});
