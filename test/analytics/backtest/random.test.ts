import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomFrom, seededRandom, shuffled } from "../../../src/analytics/backtest/random.ts";

const take = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw);

describe("random", () => {
  it("matches the reference implementation of xoshiro128** seeded with 1, 2, 3, 4", () => {
    // prng.di.unimi.it/xoshiro128starstar.c, version 1.1
    expect(take(10, randomFrom([1, 2, 3, 4]).bits)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it("converts its bits to a fraction and to an integer", () => {
    expect(take(5, randomFrom([1, 2, 3, 4]).unit)[4]).toBe(2031721883 / 2 ** 32);
    const random = randomFrom([1, 2, 3, 4]);
    expect(take(5, () => random.below(10))).toEqual([0, 0, 0, 0, 4]);
  });

  it("is identical for the same seed and differs for the next one", () => {
    const first = take(4, seededRandom(7).bits);
    expect(take(4, seededRandom(7).bits)).toEqual(first);
    for (const word of take(4, seededRandom(8).bits)) expect(first).not.toContain(word);
  });

  it("accepts any seed including 0 and covers [0, 1) uniformly", () => {
    for (const seed of [0, 1, -1, 2 ** 32, 123_456_789_012]) {
      const counts = new Array<number>(10).fill(0);
      const random = seededRandom(seed);
      for (let i = 0; i < 10_000; i++) counts[random.below(10)]!++;
      // Chi-squared with 9 degrees of freedom: one seed in a thousand exceeds 27.9.
      const chi = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
      expect(chi).toBeLessThan(27.9);
    }
  });

  it("returns a permutation of all indices, with each order of three about equally frequent", () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(50), (seed, count) => {
        expect([...shuffled(count, seededRandom(seed))].sort((a, b) => a - b)).toEqual(
          take(count, () => 0).map((_, i) => i),
        );
      }),
    );
    const random = seededRandom(3);
    const seen = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = shuffled(3, random).join("");
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
    for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(120); // 4 standard deviations
  });
});
