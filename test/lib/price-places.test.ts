import { expect, it } from "vitest";
import { pricePlaces } from "../../src/lib/price-places.ts";

it.each([
  [140_150, "crypto", 2],
  [1, "equity", 2],
  [0.9999, "equity", 4],
  [0.00012, "etf", 4],
  [99.99, "crypto", 3],
  [100, "crypto", 2],
  [3.3, "crypto", 4],
  [0.1, "crypto", 5],
  [0.0456, "crypto", 6],
  [0.00000123, "crypto", 9],
] as const)("a price of %d (%s) has %i decimal places", (price, kind, places) => {
  expect(pricePlaces(price, kind)).toBe(places);
});
