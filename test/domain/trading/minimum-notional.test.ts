import { expect, it } from "vitest";
import { minimumNotional } from "../../../src/domain/trading/minimum-notional.ts";

it.each([
  ["crypto", "buy", "0.5", "10"],
  ["crypto", "buy", "2", "10"],
  ["crypto", "sell", "0.5", null],
  ["equity", "buy", "0.001", "1"],
  ["equity", "sell", "1.5", "1"],
  ["equity", "buy", "1", null],
  ["equity", "buy", "1.000", null],
] as const)("the minimum notional of %s, to %s %s, is %s", (assetClass, side, quantity, minimum) => {
  expect(minimumNotional(assetClass, { side, quantity })).toBe(minimum);
});
