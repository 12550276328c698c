import { expect, it } from "vitest";
import { costOf } from "../../../src/analytics/positions/cost.ts";

it("puts what was sold short among what was bought, by its worth when it was opened", () => {
  const held = [
    ["small", "1", "100"],
    ["short", "-3", "150.5"],
    ["coins", "0.01", "140000"],
  ] as const;
  const costs = held.map(([name, quantity, averagePrice]) => [name, costOf({ quantity, averagePrice })]);
  expect(costs).toEqual([
    ["small", 100],
    ["short", 451.5],
    ["coins", 1400],
  ]);
});
