import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Beyond,
  conditionTransitions,
  crossedLevels,
  levelsBeyond,
} from "../../../src/analytics/conditions/crossing.ts";

const LEVELS = { above: 110, below: 90 };
const prices = fc.array(fc.constantFrom(80, 90, 100, 110, 120), { maxLength: 40 });

/** Sides fired at each evaluation of a series of prices. */
function fired(row: readonly number[]): readonly (readonly string[])[] {
  let before: Beyond | null = null;
  return row.map((price) => {
    const now = levelsBeyond(LEVELS, price);
    const sides = crossedLevels(before, now);
    before = now;
    return sides;
  });
}

describe("a price and its alert levels", () => {
  it("is beyond a level above or below it, but not exactly at it", () => {
    expect(levelsBeyond(LEVELS, 110)).toEqual({ above: false, below: false });
    expect(levelsBeyond(LEVELS, 110.01)).toEqual({ above: true, below: false });
    expect(levelsBeyond(LEVELS, 89.99)).toEqual({ above: false, below: true });
    expect(levelsBeyond({ above: null, below: null }, 1)).toEqual({ above: false, below: false });
  });

  it("does not fire on the first evaluation, fires on passing a level, and again after returning", () => {
    expect(fired([120, 120, 110, 111, 120, 89, 89, 90, 80])).toEqual([
      ...[[], [], [], ["above"], [], ["below"], [], [], ["below"]],
    ]);
  });

  it("never fires twice without returning in between", () => {
    fc.assert(
      fc.property(prices, fc.constantFrom("above" as const, "below" as const), (row, side) => {
        const evaluations = fired(row);
        const at = evaluations.flatMap((sides, i) => (sides.includes(side) ? [i] : []));
        for (const [n, i] of at.entries()) {
          const since = n === 0 ? 0 : at[n - 1]!;
          expect(row.slice(since, i).some((price) => !levelsBeyond(LEVELS, price)[side])).toBe(true);
          expect(levelsBeyond(LEVELS, row[i]!)[side]).toBe(true);
        }
      }),
    );
  });

  it("fires the same for a prefix of the prices, whatever follows", () => {
    fc.assert(
      fc.property(prices, prices, (row, more) => {
        expect(fired([...row, ...more]).slice(0, row.length)).toEqual(fired(row));
      }),
    );
  });
});

const column = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 60 });

describe("a condition over bars", () => {
  it("does not fire on the first evaluation, then fires when it becomes true", () => {
    expect(conditionTransitions(null, [0, 1, 0, 1], 0)).toEqual({ at: [], held: true });
    expect(conditionTransitions(false, [0, 1, 1, 0, 1], 0)).toEqual({ at: [1, 4], held: true });
    expect(conditionTransitions(true, [1, 1, 0, 1, 0], 0)).toEqual({ at: [3], held: false });
    expect(conditionTransitions(true, [0, 0, 1, 1], 2)).toEqual({ at: [], held: true });
    expect(conditionTransitions(false, [0, 0, 1, 1], 2)).toEqual({ at: [2], held: true });
    expect(conditionTransitions(true, [1, 1], 2)).toEqual({ at: [], held: true });
    expect(conditionTransitions(null, [], 0)).toEqual({ at: [], held: false });
  });

  it("fires only where it holds and did not one bar before", () => {
    fc.assert(
      fc.property(column, fc.boolean(), (bars, before) => {
        const { at, held } = conditionTransitions(before, bars, 0);
        const was = (bar: number) => (bar === 0 ? (before ? 1 : 0) : bars[bar - 1]);
        expect(at).toEqual(bars.flatMap((one, bar) => (one === 1 && was(bar) === 0 ? [bar] : [])));
        expect(held).toBe(bars.at(-1) === 1);
      }),
    );
  });

  it("finds the same in batches as in one pass", () => {
    fc.assert(
      fc.property(column, fc.array(fc.nat({ max: 60 })), fc.boolean(), (bars, cuts, before) => {
        const ends = [...new Set([...cuts.map((cut) => Math.min(cut, bars.length)), bars.length])].sort(
          (a, b) => a - b,
        );
        const found: number[] = [];
        let held = before;
        let from = 0;
        for (const end of ends) {
          const turns = conditionTransitions(held, bars.slice(0, end), from);
          found.push(...turns.at);
          held = turns.held;
          from = end;
        }
        expect({ at: found, held }).toEqual(conditionTransitions(before, bars, 0));
      }),
    );
  });
});
