import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { correctionScore, extendedWaves, impulseScore } from "../../../src/analytics/elliott/guidelines.ts";

/** Prices whose waves have the given log lengths. */
const waves = (...lengths: number[]): number[] => {
  const prices = [100];
  lengths.forEach((length, i) => {
    prices.push(prices.at(-1)! * Math.exp(i % 2 === 0 ? length : -length));
  });
  return prices;
};

describe("guidelines of an impulse", () => {
  it("are all met by textbook proportions", () => {
    // 2 retraces .6 of 1, 3 is 2 times 1, 4 retraces .3 of 3 and half as deep as 2, 5 is .8 of 1, only 3 is extended.
    expect(impulseScore(waves(0.1, 0.06, 0.2, 0.06, 0.08))).toBe(1);
  });

  it("are averaged with equal weight over the available waves", () => {
    expect(impulseScore(waves(0.1, 0.1))).toBe(0); // .618 x 1.618 = .99992
    expect(impulseScore(waves(0.1, 0.1, 0.2))).toBeCloseTo(1 / 2, 12);
    // 4 is as deep as 2: no alternation, and .6 of 3 is nearly .382 x 1.618.
    const four = 1 - Math.log(0.6 / 0.382) / Math.log(1.618);
    expect(impulseScore(waves(0.1, 0.06, 0.2, 0.12))).toBeCloseTo((1 + 1 + four + 0) / 4, 12);
  });

  it("report which waves are extended, and never report all", () => {
    expect(extendedWaves([100, 110, 105, 125, 120, 130])).toEqual([3]);
    expect(extendedWaves([100, 120, 115, 125, 122, 142])).toEqual([1, 5]);
    expect(extendedWaves([100, 110, 105, 115, 112, 122])).toEqual([]);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 6, maxLength: 6 }),
        (six) => {
          fc.pre([1, 3, 5].every((wave) => six[wave] !== six[wave - 1]));
          expect(extendedWaves(six).length).toBeLessThan(3);
        },
      ),
    );
  });
});

describe("guidelines of a correction", () => {
  const whole = waves(0.1, 0.06, 0.2, 0.06, 0.08); // .26 of log length
  const end = whole[5]!;
  const ab = (a: number, b: number): [number, number, number] => [
    end,
    end * Math.exp(-a),
    end * Math.exp(b - a),
  ];

  it("require A in proportion to the impulse and B to A", () => {
    expect(correctionScore("zigzag", whole, ab(0.13, 0.065))).toBe(1);
    expect(correctionScore("flat", whole, ab(0.13, 0.143))).toBe(1);
    expect(correctionScore("flat", whole, ab(0.13, 0.065))).toBe(0.5);
    expect(correctionScore("zigzag", whole, ab(0.02, 0.01))).toBe(0.5);
  });
});
