import { describe, expect, it } from "vitest";
import { candidatesAt } from "../../../src/analytics/elliott/candidates.ts";
import type { Leg } from "../../../src/analytics/elliott/pivots.ts";
import type { Pivot } from "../../../src/analytics/levels/zigzag.ts";

/** Pivots at these prices, ten bars apart, and a leg that has reached the last price. */
function swings(...prices: number[]): { pivots: Pivot[]; leg: Leg } {
  const reached = prices.at(-1)!;
  const ends = prices.slice(0, -1);
  const pivots = ends.map(
    (price, i): Pivot => ({
      kind: price < prices[i + 1]! ? "low" : "high",
      index: 10 * i,
      price,
      confirmedAt: 10 * i + 5,
    }),
  );
  return { pivots, leg: { up: reached > ends.at(-1)!, reached, adverse: ends.at(-1)! } };
}

const valid = (margin: number, ...prices: number[]) =>
  candidatesAt(swings(...prices), margin)
    .filter(({ fault }) => fault === null)
    .map(({ pattern, direction, wave, complete }) =>
      [pattern, direction, wave, ...(complete ? ["complete"] : [])].join(" "),
    );
const faults = (...prices: number[]) =>
  candidatesAt(swings(...prices), 0.5).flatMap(({ wave, fault }) =>
    fault === null ? [] : [`${wave}: ${fault}`],
  );

const UP = [100, 130, 115, 165, 147, 177];

describe("candidates", () => {
  it("include an impulse with its current wave in progress, and a complete one", () => {
    expect(valid(0.5, 100, 130, 115, 140)).toEqual(["impulse up 3"]);
    expect(valid(0.5, 100, 130, 115, 165, 150)).toEqual(["impulse up 4"]);
    expect(valid(0.5, 100, 130, 115, 165, 147, 160)).toEqual(["impulse up 5"]);
    expect(valid(0.5, ...UP, 165)).toEqual(["impulse up 5 complete"]);
    expect(valid(0.5, ...UP.map((price) => 300 - price), 135)).toEqual(["impulse down 5 complete"]);
  });

  it("are judged as if the current wave ended at its extreme so far", () => {
    expect(faults(100, 130, 115, 129)).toEqual(["3: wave 3 does not go beyond the end of wave 1"]);
    expect(faults(100, 130, 115, 165, 130)).toContain("4: wave 4 enters the territory of wave 1");
    // Wave 3 of 44 is shorter than wave 1 of 50, so wave 5 may not reach 44.
    expect(valid(0.5, 100, 150, 110, 154, 152, 195)).toContain("impulse up 5");
    expect(faults(100, 150, 110, 154, 152, 197)).toContain("5: wave 3 is the shortest of 1, 3 and 5");
  });

  it("require every rule to hold by the margin, and report a near violation", () => {
    expect(valid(2, 100, 130, 115, 132)).toEqual(["impulse up 3"]);
    expect(valid(2.5, 100, 130, 115, 132)).toEqual([]);
    expect(faults(100, 130, 100.4, 140)).toEqual([
      "3: too close to a violation: wave 2 goes back to the start of wave 1",
    ]);
    expect(candidatesAt(swings(100, 130, 100.4, 140), 0.5)[0]!.violated).toEqual(["R1_W2_LT_100"]);
  });

  it("are invalid if the leg goes beyond its start, or if a complete impulse is fully retraced", () => {
    const { pivots, leg } = swings(100, 130, 115, 140);
    const [third] = candidatesAt({ pivots, leg: { ...leg, adverse: 114 } }, 0.5);
    expect(third).toMatchObject({
      wave: "3",
      violated: [],
      fault: "price has gone beyond the end of wave 2",
    });
    expect(faults(...UP, 100)).toContain("5: the entire impulse has been retraced");
  });

  it("include a zigzag or a flat only after a complete impulse in the other direction", () => {
    expect(valid(0.5, ...UP, 150, 165, 155)).toEqual(["zigzag down C"]);
    expect(valid(0.5, ...UP, 150, 175, 155)).toEqual(["zigzag down C", "flat down C"]); // 25 of 27 is 93%
    expect(valid(0.5, ...UP, 150, 180, 155)).toContain("flat down C");
    expect(valid(0.5, ...UP, 150, 180, 155)).not.toContain("zigzag down C");
    expect(valid(0.5, 150, ...UP.slice(1), 150, 165, 155)).toEqual([]); // R1 is broken
  });

  it("report what is wrong with a correction", () => {
    expect(faults(...UP, 150, 165, 155)).toContain("C: wave B retraces less than 90% of wave A");
    expect(faults(...UP, 150, 177, 155)).toContain("C: wave B goes back to the start of wave A");
    expect(faults(...UP, 150, 165, 100)).toContain("C: the entire impulse has been retraced");
    expect(faults(...UP, 99, 165, 155)).toContain("C: the entire impulse has been retraced");
  });

  it("have the smallest clearance among their rules, in price", () => {
    expect(candidatesAt(swings(...UP, 165), 0.5)[0]).toMatchObject({ waves: 5, clearance: 15, bound: 100 });
    // 15 for the impulse, and 12 from B at 165 to the start of A.
    expect(candidatesAt(swings(...UP, 150, 165, 155), 0.5).at(-2)).toMatchObject({
      pattern: "zigzag",
      clearance: 12,
      waves: 7,
    });
  });

  it("are empty without enough pivots", () => {
    expect(candidatesAt({ pivots: [], leg: null }, 0.5)).toEqual([]);
    expect(candidatesAt(swings(100, 130, 115), 0.5)).toEqual([]);
  });
});
