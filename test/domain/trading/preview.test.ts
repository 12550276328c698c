import { expect, it } from "vitest";
import { orderTypeOf } from "../../../src/domain/trading/preview.ts";

it.each([
  [{}, "market"],
  [{ limit_price: "61.5" }, "limit"],
  [{ stop_price: "60" }, "stop"],
  [{ limit_price: "61.5", stop_price: "60" }, "stop_limit"],
  [{ type: "market", limit_price: "61.5" }, "market"],
] as const)("the order type of %j is %s", (prices, type) => {
  expect(orderTypeOf(prices)).toBe(type);
});
