import { describe, expect, it } from "vitest";
import { changeText, countText, fixedText, momentText, priceText } from "../../src/charts/figures.ts";

describe("formatted numbers", () => {
  it.each([
    [210.2, "210.20"],
    [1, "1.00"],
    [0.4321, "0.4321"],
    [0.05, "0.05000"],
    [0.00000123, "0.000001230"],
    [1.23e-9, "0.000000001230"],
    [700_000, "700,000.00"],
    [1234.5, "1,234.50"],
    [0, "0.00"],
    [-12.345, "-12.345"],
  ])("formats %d as %s", (price, text) => {
    expect(priceText(price)).toBe(text);
  });

  it("separate thousands before the decimal point only, and give zero no minus sign", () => {
    expect(fixedText(1234567.12345, 5)).toBe("1,234,567.12345");
    expect(fixedText(-0.001, 2)).toBe("0.00");
    expect(fixedText(999, 0)).toBe("999");
  });

  it.each([
    [100, 103.14, "+3.1%"],
    [100, 90, "-10.0%"],
    [100, 100, "+0.0%"],
    [100, 99.99, "+0.0%"],
    [0, 0, "+0.0%"],
    [1, 1201, "+120,000.0%"],
  ])("formats the change from %d to %d as %s", (from, to, text) => {
    expect(changeText(from, to)).toBe(text);
  });

  it.each([
    [0, "0"],
    [0.4242, "0.42"],
    [9.5, "9.50"],
    [950, "950"],
    [12_345, "12.3K"],
    [155_400_000, "155M"],
    [7.2e9, "7.20B"],
    [3e12, "3.00T"],
  ])("counts %d as %s", (count, text) => {
    expect(countText(count)).toBe(text);
  });

  it("format a time to the minute", () => {
    expect(momentText("2026-01-14T21:00:00.000Z")).toBe("2026-01-14 21:00 UTC");
  });
});
