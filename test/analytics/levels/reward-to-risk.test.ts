import { expect, it } from "vitest";
import { rewardToRisk, targetsInR } from "../../../src/analytics/levels/reward-to-risk.ts";

const entry = { low: 99, high: 101 };

it("measures targets of a LONG from the high of its zone, rounded down to hundredths", () => {
  // 1 R is 3: 9 / 3 and 10 / 3
  expect(targetsInR({ side: "LONG", entry, stop: 98, targets: [110, 111] })).toEqual({
    edge: "high",
    entry: 101,
    risk: 3,
    targets: [
      { price: 110, r: 3 },
      { price: 111, r: 3.33 },
    ],
  });
});

it("measures targets of a SHORT from the low of its zone", () => {
  // 1 R is 3: 5 / 3 and 8 / 3
  expect(targetsInR({ side: "SHORT", entry, stop: 102, targets: [94, 91] })).toEqual({
    edge: "low",
    entry: 99,
    risk: 3,
    targets: [
      { price: 94, r: 1.66 },
      { price: 91, r: 2.66 },
    ],
  });
  expect(rewardToRisk({ side: "SHORT", entry, stop: 102 }, 94)).toBe(1.66);
});
