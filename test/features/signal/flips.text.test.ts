import { expect, it } from "vitest";
import { type Flips, formatFlips } from "../../../src/features/signal/flips.text.ts";

const grade = { price: null, grade: null, change_percent: null };
const flips: Flips = {
  flip: {
    price: 0.0000123,
    direction: "SHORT",
    change_percent: -4.5,
    reason: "The score falls to 37.5",
    tick: 1e-9,
  },
  grade_flip: {
    better: { price: 0.0000131, grade: "B", change_percent: 1.25 },
    worse: { price: 0.000012912, grade: null, change_percent: -0.5 },
  },
  fewest_absent: { drivers: ["t_ma50"], direction: "WAIT", reason: null },
};

it("prints prices at tick precision", () => {
  expect(formatFlips(flips)).toEqual([
    "a close at 0.000012300 (-4.50%) makes it SHORT: the score falls to 37.5",
    "a close at 0.000013100 (+1.25%) makes the grade B, at 0.000012912 (-0.50%) makes the grade none",
    "without the driver 50-bar average it is WAIT",
  ]);
});

it("prints the reasons if nothing changes the verdict", () => {
  const none: Flips = {
    flip: { ...flips.flip, price: null, reason: "No close from $9 to $11 changes it" },
    grade_flip: { better: grade, worse: grade },
    fewest_absent: { drivers: null, direction: null, reason: "The direction stays" },
  };
  expect(formatFlips(none)).toEqual([
    "the direction stays: no close from $9 to $11 changes it",
    "the direction stays",
  ]);
});
