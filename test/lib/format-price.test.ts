import { describe, expect, it } from "vitest";
import { formatPrice } from "../../src/lib/format-price.ts";

describe("formatPrice", () => {
  it.each([
    [137.625, "137.63"],
    [1, "1.00"],
    [0, "0.00"],
    [-12.5, "-12.50"],
    [0.91234, "0.91234"],
    [0.9123, "0.9123"],
    [1.98, "1.98"],
    [1.9812, "1.9812"],
    [25.5, "25.50"],
    [25.5126, "25.513"],
    [0.05, "0.05000"],
    [0.00001234, "0.00001234"],
    [1.234e-8, "0.00000001234"],
  ])("shows %d as %s", (price, text) => {
    expect(formatPrice(price)).toBe(text);
  });
});
