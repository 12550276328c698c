import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Beyond, beyond, passed } from "../../../src/analytics/conditions/crossing.ts";

const LEVELS = { above: 110, below: 90 };
const prices = fc.array(fc.constantFrom(80, 90, 100, 110, 120), { maxLength: 40 });

/** Sides fired by a row of prices, per evaluation. */
function fired(row: readonly number[]): readonly (readonly string[])[] {
  let before: Beyond | null = null;
  return row.map((price) => {
    const now = beyond(LEVELS, price);
    const sides = passed(before, now);
    before = now;
    return sides;
  });
}

describe("a price and its levels", () => {
  it("is beyond a level it is over or under, and at it is not", () => {
    expect(beyond(LEVELS, 110)).toEqual({ above: false, below: false });
    expect(beyond(LEVELS, 110.01)).toEqual({ above: true, below: false });
    expect(beyond(LEVELS, 89.99)).toEqual({ above: false, below: true });
    expect(beyond({ above: null, below: null }, 1)).toEqual({ above: false, below: false });
  });

  it("fires not on the first evaluation, then on passing, and again after it went back", () => {
    expect(fired([120, 120, 110, 111, 120, 89, 89, 90, 80])).toEqual([
      ...[[], [], [], ["above"], [], ["below"], [], [], ["below"]],
    ]);
  });

  it("never fires twice without having been back in between", () => {
    fc.assert(
      fc.property(prices, fc.constantFrom("above" as const, "below" as const), (row, side) => {
        const evaluations = fired(row);
        const at = evaluations.flatMap((sides, i) => (sides.includes(side) ? [i] : []));
        for (const [n, i] of at.entries()) {
          const since = n === 0 ? 0 : at[n - 1]!;
          expect(row.slice(since, i).some((price) => !beyond(LEVELS, price)[side])).toBe(true);
          expect(beyond(LEVELS, row[i]!)[side]).toBe(true);
        }
      }),
    );
  });

  it("fires the same for a beginning of the row, whatever follows", () => {
    fc.assert(
      fc.property(prices, prices, (row, more) => {
        expect(fired([...row, ...more]).slice(0, row.length)).toEqual(fired(row));
      }),
    );
  });
});
