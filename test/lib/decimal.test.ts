import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  affordable,
  decimal,
  maxDecimal,
  minDecimal,
  stepDown,
  stepUp,
  truncated,
} from "../../src/lib/decimal.ts";

const amount = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 0, max: 9 }))
  .map(([n, p]) => decimal(`${n}e-${p}`));

describe("decimal", () => {
  it("adds exactly where binary floating point does not", () => {
    expect(truncated(decimal("0.1").plus("0.2"))).toBe("0.3");
    expect(truncated(decimal(1e-9))).toBe("0.000000001");
  });

  it("truncates digits towards 0", () => {
    expect(truncated(decimal("1.23456789987"))).toBe("1.234567899");
    expect(truncated(decimal("-1.999"), 2)).toBe("-1.99");
    expect(truncated(decimal("-0.4"), 0)).toBe("0");
    expect(truncated(decimal("100000000000"))).toBe("100000000000");
  });

  it("returns the minimum and the maximum", () => {
    const [a, b, c] = [decimal("2"), decimal("1.5"), decimal("-3")];
    expect(minDecimal(a, b, c)).toBe(c);
    expect(maxDecimal(b, a, c)).toBe(a);
  });

  it("rounds down and up to a step", () => {
    const cent = decimal("0.01");
    expect(truncated(stepDown(decimal("1.239"), cent))).toBe("1.23");
    expect(truncated(stepUp(decimal("1.231"), cent))).toBe("1.24");
    expect(truncated(stepUp(decimal("1.23"), cent))).toBe("1.23");
  });

  it("returns the largest quantity within the budget, in whole steps", () => {
    fc.assert(
      fc.property(amount, amount, fc.constantFrom("1", "0.01", "0.000000001"), (budget, price, text) => {
        const step = decimal(text);
        const bought = affordable(budget, price, step);
        expect(bought.times(price).lte(budget)).toBe(true);
        expect(bought.plus(step).times(price).gt(budget)).toBe(true);
      }),
    );
  });
});
