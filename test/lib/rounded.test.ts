import { describe, expect, it } from "vitest";
import { rounded } from "../../src/lib/rounded.ts";

describe("rounded", () => {
  it.each([
    [192_055.15000000002, 2, 192_055.15],
    [0.000013037357092935133, 6, 0.000013],
    [25.529999999999998, 4, 25.53],
    [-0.001, 2, 0],
  ])("writes %f with %i digits as %f", (value, digits, expected) => {
    expect(rounded(value, digits)).toBe(expected);
  });
});
