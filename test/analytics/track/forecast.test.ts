import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ForecastOutcome, forecastFold } from "../../../src/analytics/track/forecast.ts";

const outcome = (group: string | null, at: number, rose: boolean): ForecastOutcome => ({
  group,
  at,
  known: at + 20,
  rose,
});
function forecastScores(all: readonly ForecastOutcome[]) {
  const fold = forecastFold(20);
  for (const one of all) fold.add(one);
  return fold.result();
}
const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

describe("forecasts from past outcomes", () => {
  it("are one half until an outcome is known", () => {
    expect(forecastScores([outcome("a", 0, true), outcome("b", 1, false)])).toEqual(
      new Map([
        ["a", { brier: 0.25, skill: 0 }],
        ["b", { brier: 0.25, skill: 0 }],
      ]),
    );
  });

  it("include an outcome once it is known and not before", () => {
    const early = forecastScores([outcome("a", 0, true), outcome("a", 19, true)]);
    expect(early.get("a")!.brier).toBe(0.25);
    // Base (1/20 + 10) / (1/20 + 20) = .501247; group (.05 + 20 x .501247) / 20.05 = .502490.
    const late = forecastScores([outcome("a", 0, true), outcome("a", 20, true)]);
    expect(late.get("a")!.brier).toBeCloseTo((0.25 + (1 - 0.50249) ** 2) / 2, 6);
    expect(late.get("a")!.skill).toBeCloseTo(1 - (0.25 + 0.49751 ** 2) / (0.25 + 0.498753 ** 2), 5);
  });

  it("have skill if groups differ", () => {
    const all = Array.from({ length: 8000 }, (_, i) => outcome(i % 2 === 0 ? "up" : "down", i, i % 2 === 0));
    for (const { skill } of forecastScores(all).values()) expect(skill!).toBeGreaterThan(0.8);
  });

  it("have almost none on noise", () => {
    const next = random(7);
    const all = Array.from({ length: 20_000 }, (_, i) => outcome(`g${i % 4}`, i, next() < 0.54));
    for (const { skill } of forecastScores(all).values()) expect(Math.abs(skill!)).toBeLessThan(0.005);
  });

  it("do not change with later outcomes", () => {
    const outcomes = fc.array(fc.record({ group: fc.constantFrom("a", "b"), rose: fc.boolean() }), {
      minLength: 2,
    });
    fc.assert(
      fc.property(outcomes, (list) => {
        const all = list.map(({ group, rose }, i) => outcome(group, 10 * i, rose));
        const errors = (upTo: number) => {
          const scores = forecastScores(all.slice(0, upTo));
          const count = (group: string) => all.slice(0, upTo).filter((one) => one.group === group).length;
          return [...scores].reduce((sum, [group, { brier }]) => sum + brier * count(group), 0);
        };
        // One more outcome adds its error, 0 to 1, and changes no other.
        const added = errors(all.length) - errors(all.length - 1);
        expect(added).toBeGreaterThanOrEqual(-1e-9);
        expect(added).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("include ungrouped outcomes in the base rate, and score only groups", () => {
    const scores = forecastScores([outcome(null, 0, true), outcome("a", 20, true)]);
    // Base (1/20 + 10) / (1/20 + 20); the group has no outcome yet.
    expect([...scores]).toEqual([["a", { brier: expect.closeTo((1 - 10.05 / 20.05) ** 2, 12), skill: 0 }]]);
  });

  it("include outcomes in the order in which they become known, not that of their decisions", () => {
    // The second is known first, and is the only one known when the third is forecast.
    const all = [outcome("a", 0, false), { ...outcome("a", 1, true), known: 10 }, outcome("a", 12, true)];
    const own = (0.05 + 20 * (10.05 / 20.05)) / 20.05;
    expect(forecastScores(all).get("a")!.brier).toBeCloseTo((0.25 + 0.25 + (1 - own) ** 2) / 3, 12);
  });

  it("throw if outcomes are not in order of decision", () => {
    expect(() => forecastScores([outcome("a", 1, true), outcome("a", 0, true)])).toThrow(RangeError);
  });

  it("are empty without outcomes", () => expect(forecastScores([])).toEqual(new Map()));
});
