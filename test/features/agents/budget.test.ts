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
const order = { order_id: "or_1" };

describe("what a pass may spend", () => {
  it("is what is left, or the least there is: a pass may still sell", () => {
    expect(passBudget({ budget: null, spent: "10" })).toBeNull();
    expect(passBudget({ budget: "1000", spent: "0" })).toBe("1000");
    expect(passBudget({ budget: "1000", spent: "999.5" })).toBe("0.5");
    expect(passBudget({ budget: "1000", spent: "1000" })).toBe("0.000000001");
    expect(passBudget({ budget: "1000", spent: "1000.2" })).toBe("0.000000001");
  });
});

describe("a budget with nothing more to do", () => {
  const agent = (spent: string) => ({ budget: "1000", spent });
  const wants = decision("buy", "0", { trade: { cost: "300" } });

  it("is one that pays for nothing the pass wanted, while nothing is held", () => {
    expect(isSpent(agent("1000"), [decision("hold", "0")])).toBe(true);
    expect(isSpent(agent("800"), [wants])).toBe(true);
    expect(isSpent(agent("700"), [wants])).toBe(false);
    expect(isSpent(agent("800"), [decision("hold", "0")])).toBe(false);
  });

  it("is false while something is held that a later pass could sell", () => {
    expect(isSpent(agent("1000"), [decision("hold", "2")])).toBe(false);
    expect(isSpent(agent("1000"), [decision("sell", "2")])).toBe(false);
    expect(isSpent(agent("1000"), [decision("buy", "0", { order })])).toBe(false);
    expect(isSpent(agent("1000"), [decision("sell", "2", { order })])).toBe(true);
  });

  it("is false without a limit, or before anything was bought", () => {
    expect(isSpent({ budget: null, spent: "5000" }, [wants])).toBe(false);
    expect(isSpent(agent("0"), [decision("buy", "0", { trade: { cost: "5000" } })])).toBe(false);
  });
});
