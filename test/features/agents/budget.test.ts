import { describe, expect, it } from "vitest";
import { isSpent, passBudget } from "../../../src/features/agents/budget.ts";

const decision = (action: "buy" | "sell" | "hold", held: string | null, over: object = {}) => ({
  symbol: "AAPL",
  action,
  why: "So.",
  held,
  order: null,
  trade: null,
  ...over,
});
const placed = { order: { order_id: "or_1" } };
const wants = decision("buy", "0", { trade: { cost: "300" } });

it.each([
  [null, "10", null],
  ["1000", "0", "1000"],
  ["1000", "999.5", "0.5"],
  // the smallest amount, so that a pass may still sell
  ["1000", "1000", "0.000000001"],
  ["1000", "1000.2", "0.000000001"],
])("of a budget of %s with %s spent, the next pass may spend %s", (budget, spent, left) => {
  expect(passBudget({ budget, spent })).toBe(left);
});

describe("isSpent", () => {
  it.each([
    ["nothing is left and nothing held", "1000", decision("hold", "0"), true],
    ["too little is left for the wanted purchase", "800", wants, true],
    ["enough is left for it", "700", wants, false],
    ["something is left and nothing wanted", "800", decision("hold", "0"), false],
    ["a position could still be sold", "1000", decision("hold", "2"), false],
    ["its sale was not placed", "1000", decision("sell", "2"), false],
    ["a purchase was placed", "1000", decision("buy", "0", placed), false],
    ["the last position was sold", "1000", decision("sell", "2", placed), true],
    ["nothing was bought yet", "0", decision("buy", "0", { trade: { cost: "5000" } }), false],
  ] as const)("checks the budget when %s", (_, spent, last, finished) => {
    expect(isSpent({ budget: "1000", spent }, [last])).toBe(finished);
  });

  it("is false without a limit", () => {
    expect(isSpent({ budget: null, spent: "5000" }, [wants])).toBe(false);
  });
});
