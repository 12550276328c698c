import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetLeft, costOfUnits, purchase, spend } from "../../../src/analytics/decisions/budget.ts";

describe("a budget", () => {
  it("returns what is left, never below 0, and null without a limit", () => {
    expect(budgetLeft({ limit: "1000", spent: "999.99" })).toBe("0.01");
    expect(budgetLeft({ limit: "1000", spent: "1000.01" })).toBe("0");
    expect(budgetLeft({ limit: null, spent: "5" })).toBeNull();
  });

  it("allows a purchase of exactly what is left and no more", () => {
    const budget = { limit: "1000", spent: "300" };
    expect(purchase(budget, { quantity: "7", price: "100" })).toEqual({
      passes: true,
      cost: "700",
      left: "700",
      reason: null,
    });
    expect(purchase(budget, { quantity: "7", price: "100.01" })).toEqual({
      passes: false,
      cost: "700.07",
      left: "700",
      reason:
        "7 at 100.01 USD cost 700.07 USD, but only 700 USD of the 1000 USD budget are left: set budget_usd to 1000.07 or buy at most 6.9993 units",
    });
  });

  it("uses exact decimal arithmetic", () => {
    expect(costOfUnits("0.1", "0.2")).toBe("0.02");
    expect(spend({ limit: "1", spent: "0.1" }, "0.2").spent).toBe("0.3");
    expect(purchase({ limit: "0.3", spent: "0.1" }, { quantity: "1", price: "0.2" }).passes).toBe(true);
  });

  it("is never overspent by allowed purchases; the budget suggested in a refusal would suffice", () => {
    const cents = fc.integer({ min: 1, max: 1_000_000 }).map((n) => (n / 100).toFixed(2));
    fc.assert(
      fc.property(cents, fc.array(fc.record({ quantity: cents, price: cents })), (limit, wishes) => {
        let budget: { readonly limit: string | null; readonly spent: string } = { limit, spent: "0" };
        for (const wish of wishes) {
          const { passes, cost, reason } = purchase(budget, wish);
          if (passes) budget = spend(budget, cost);
          else {
            const named = /set budget_usd to (\d\S*\d|\d)/.exec(reason!)![1]!;
            expect(purchase({ ...budget, limit: named }, wish).passes).toBe(true);
          }
          expect(Number(budget.spent)).toBeLessThanOrEqual(Number(limit));
        }
      }),
    );
  });
});
