import { describe, expect, it } from "vitest";
import {
  checkInput,
  EMPTY,
  mistakesOf,
  orderLevels,
  withPlan,
} from "../../src/dashboard/pages/symbol/order-form.ts";
import type { Plan } from "../../src/dashboard/views/signal/facts.ts";

const NOW = { symbol: "AAPL", asOf: null };
const PLAN: Plan = {
  side: "LONG",
  basis: "signal",
  entry: { low: 99, high: 100 },
  stop: 95,
  targets: [110, 120],
  multiples: [2, 4],
  rewardToRisk: 2,
};

describe("the form of an order", () => {
  it("sends no field that is empty, and none that its type does not have", () => {
    expect(checkInput({ ...EMPTY, limit_price: "9", size: " " }, NOW)).toEqual({
      symbol: "AAPL",
      side: "buy",
      type: "market",
    });
  });

  it("sends plain numbers as such, and leaves any other text to the server", () => {
    const draft = { ...EMPTY, sizeIn: "notional", size: "1,500", stop_loss: "95.10", equity: "1e5" } as const;
    expect(checkInput(draft, { symbol: "AAPL", asOf: "2026-10-01" })).toEqual({
      symbol: "AAPL",
      side: "buy",
      type: "market",
      notional: "1,500",
      stop_loss: 95.1,
      account: { equity: "1e5" },
      as_of: "2026-10-01",
    });
    expect(checkInput({ ...EMPTY, size: "0.1234567890123456" }, NOW).quantity).toBe("0.1234567890123456");
  });

  it("takes the levels of a plan from the worse edge of its zone, and keeps the size", () => {
    expect(withPlan({ ...EMPTY, size: "7" }, PLAN)).toMatchObject({
      side: "buy",
      type: "limit",
      size: "7",
      limit_price: "100",
      stop_loss: "95",
      take_profit: "110",
    });
    const short = { ...PLAN, side: "SHORT", stop: 105, targets: [90] } as const;
    expect(withPlan(EMPTY, short)).toMatchObject({ side: "sell_short", limit_price: "99", stop_loss: "105" });
  });

  it("puts a mistake at its field, that of the quantity and the amount at the size", () => {
    const size = { pointer: "/notional", detail: "must be above 0" };
    expect(mistakesOf({ errors: [size, { pointer: "/limit_price", detail: "is missing" }] })).toEqual({
      fields: { size: "must be above 0", limit_price: "is missing" },
      isWhole: true,
    });
    expect(mistakesOf({ errors: [size, { pointer: "/symbol", detail: "is not known" }] }).isWhole).toBe(
      false,
    );
    expect(mistakesOf({ errors: [] })).toEqual({ fields: {}, isWhole: false });
  });

  it("draws the prices of an order that are numbers", () => {
    expect(
      orderLevels({ symbol: "AAPL", side: "buy", limit_price: 100, stop_loss: "95,1", take_profit: 110 }),
    ).toEqual([
      { price: 100, text: "order limit", tone: "flat" },
      { price: 110, text: "order target", tone: "flat" },
    ]);
  });
});
