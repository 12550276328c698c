import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aboveProbability, touchProbability } from "../../../src/analytics/contracts/probability.ts";

const reach = fc.record({
  price: fc.double({ min: 1, max: 1_000, noNaN: true }),
  level: fc.double({ min: 1, max: 1_000, noNaN: true }),
  spread: fc.double({ min: 0.01, max: 2, noNaN: true }),
});

describe("the probability of a level without drift", () => {
  // Python's statistics.NormalDist on N((ln(S/K) - s^2/2) / s)
  it.each([
    [100, 100, 0.2, 0.460172162722971],
    [100, 110, 0.2, 0.2821214382854219],
    [100, 80, 0.3, 0.7236810146983194],
  ])("of %d being above %d at a spread of %d", (price, level, spread, expected) => {
    expect(aboveProbability({ price, level, spread })).toBeCloseTo(expected, 12);
  });

  // the density of the first passage, integrated numerically over 200,000 steps
  it("of being reached is that of the first passage", () => {
    expect(touchProbability({ price: 100, level: 110, spread: 0.2 }, "above")).toBeCloseTo(0.60326115786, 9);
    expect(touchProbability({ price: 100, level: 85, spread: 0.2 }, "below")).toBeCloseTo(0.45066935386, 9);
  });

  it("of being reached is 1 where it is there already", () => {
    expect(touchProbability({ price: 100, level: 100, spread: 0.2 }, "above")).toBe(1);
    expect(touchProbability({ price: 100, level: 101, spread: 0.2 }, "below")).toBe(1);
  });

  it("is never less for reaching a level than for ending beyond it", () => {
    fc.assert(
      fc.property(reach, (at) => {
        const above = aboveProbability(at);
        expect(touchProbability(at, "above")).toBeGreaterThanOrEqual(above - 1e-12);
        expect(touchProbability(at, "below")).toBeGreaterThanOrEqual(1 - above - 1e-12);
      }),
    );
  });

  it("has the price as its mean: a price without drift", () => {
    // the integral of P(S > K) over K, by the midpoint rule
    const [price, spread, step] = [100, 0.25, 0.05];
    let mean = 0;
    for (let level = step / 2; level < 600; level += step)
      mean += aboveProbability({ price, level, spread }) * step;
    expect(mean).toBeCloseTo(100, 6);
  });
});
