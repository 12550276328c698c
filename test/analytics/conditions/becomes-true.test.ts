import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { becomesTrue } from "../../../src/analytics/conditions/crossing.ts";

const column = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 60 });

describe("a condition over bars", () => {
  it("fires not on the first evaluation, then where it was false before", () => {
    expect(becomesTrue(null, [0, 1, 0, 1], 0)).toEqual({ at: [], held: true });
    expect(becomesTrue(false, [0, 1, 1, 0, 1], 0)).toEqual({ at: [1, 4], held: true });
    expect(becomesTrue(true, [1, 1, 0, 1, 0], 0)).toEqual({ at: [3], held: false });
    expect(becomesTrue(true, [0, 0, 1, 1], 2)).toEqual({ at: [], held: true });
    expect(becomesTrue(false, [0, 0, 1, 1], 2)).toEqual({ at: [2], held: true });
    expect(becomesTrue(true, [1, 1], 2)).toEqual({ at: [], held: true });
    expect(becomesTrue(null, [], 0)).toEqual({ at: [], held: false });
  });

  it("turns only where it holds and did not a bar before", () => {
    fc.assert(
      fc.property(column, fc.boolean(), (bars, before) => {
        const { at, held } = becomesTrue(before, bars, 0);
        const was = (bar: number) => (bar === 0 ? (before ? 1 : 0) : bars[bar - 1]);
        expect(at).toEqual(bars.flatMap((one, bar) => (one === 1 && was(bar) === 0 ? [bar] : [])));
        expect(held).toBe(bars.at(-1) === 1);
      }),
    );
  });

  it("finds the same in pieces as at once", () => {
    fc.assert(
      fc.property(column, fc.array(fc.nat({ max: 60 })), fc.boolean(), (bars, cuts, before) => {
        const ends = [...new Set([...cuts.map((cut) => Math.min(cut, bars.length)), bars.length])].sort(
          (a, b) => a - b,
        );
        const found: number[] = [];
        let held = before;
        let from = 0;
        for (const end of ends) {
          const turns = becomesTrue(held, bars.slice(0, end), from);
          found.push(...turns.at);
          held = turns.held;
          from = end;
        }
        expect({ at: found, held }).toEqual(becomesTrue(before, bars, 0));
      }),
    );
  });
});
