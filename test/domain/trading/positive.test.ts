import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Positive } from "../../../src/domain/trading/trading.ts";

describe("an amount passed by a caller", () => {
  it.each([
    [0.1, "0.1"],
    [1, "1"],
    [137.62, "137.62"],
    [1e-7, "0.0000001"],
    [123456789012, "123456789012"],
    ["0.10", "0.10"],
    [" 12.5 ", "12.5"],
    [0.1 + 0.2, "0.3"],
    [1.1 * 3, "3.3"],
    [0.7 + 0.1, "0.8"],
    [4.35 * 100, "435"],
    ["0.30000000000000004", "0.3"],
    ["0.5000000000", "0.5"],
    ["999999999999.999999999", "999999999999.999999999"],
  ])("%j is %s", (given, text) => {
    expect(Positive.parse(given)).toBe(text);
  });

  it.each([2 / 3, 1234567890.1234567])("refuses %d, which is no exact decimal", (given) => {
    expect(Positive.safeParse(given).error?.issues[0]?.message).toContain("more than 15 digits");
  });

  it.each([
    [0.1234567890123456, "more than 15 digits, which a JSON number does not carry exactly: 0.123456789 is"],
    [0.12345678912, "more than 9 decimal places: 0.123456789 is the nearest amount"],
    ["0.123456789012345678", "more than 9 decimal places: 0.123456789 is the nearest amount"],
    ["0.00000000012", "more than 9 decimal places: 0.000000001 is the nearest amount"],
  ])("refuses %j for its digits", (given, why) => {
    expect(Positive.safeParse(given).error?.issues[0]?.message).toContain(why);
  });

  it.each([0, -1, 1e12, 1e-10, "0", "-1", "1e3", "", "x", null, true, [1]])("refuses %j", (given) => {
    expect(Positive.safeParse(given).success).toBe(false);
  });

  it("is the same as a number and as its text", () => {
    const cents = fc.integer({ min: 1, max: 99_999_999_999 });
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 4 }), (units, places) => {
        const text = (units / 10 ** places).toFixed(places);
        expect(Number(Positive.parse(Number(text)))).toBe(Number(text));
        expect(Positive.parse(Number(text))).not.toMatch(/e/);
      }),
    );
  });
});
