import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Levels } from "../../../src/analytics/levels/levels.ts";
import { levelsAtTicks } from "../../../src/analytics/levels/ticks.ts";

const long: Levels = {
  side: "LONG",
  atr14: 1,
  entry: { low: 137.1234, high: 137.625 },
  stop: 135.8799,
  targets: [141.6249, 143.375, 145.1],
  target_basis: "pivot",
  reward_to_risk: 1,
  break_even_win_rate: 0.5,
};

describe("levels at ticks", () => {
  it("are entry and targets at the nearest tick, and the stop at the next one beyond it", () => {
    const levels = levelsAtTicks(long, "equity");
    expect(levels).toMatchObject({
      entry: { low: 137.12, high: 137.63 },
      stop: 135.87,
      targets: [141.62, 143.38, 145.1],
    });
    expect(levels.reward_to_risk).toBeCloseTo(3.99 / 1.76, 10);
    expect(levels.break_even_win_rate).toBeCloseTo(1.76 / 5.75, 10);
  });

  it("have a stop above its exact price for a SHORT", () => {
    const short: Levels = {
      ...long,
      side: "SHORT",
      entry: { low: 0.9871239, high: 1.0049 },
      stop: 1.021,
      targets: [0.93334],
    };
    expect(levelsAtTicks(short, "equity")).toMatchObject({
      entry: { low: 0.9871, high: 1 },
      stop: 1.03,
      targets: [0.9333],
    });
  });

  it("stay exact where they lie closer together than ticks", () => {
    const narrow = { ...long, entry: { low: 10, high: 10.001 }, stop: 9.9999, targets: [10.003] };
    expect(levelsAtTicks(narrow, "equity")).toBe(narrow);
  });

  it("do not change a second time, for any price and kind", () => {
    const price = fc.double({ min: 0.0000001, max: 500_000, noNaN: true });
    fc.assert(
      fc.property(price, fc.constantFrom("equity", "crypto", "etf"), (close, kind) => {
        const levels = levelsAtTicks(
          {
            ...long,
            entry: { low: close * 0.99, high: close * 1.01 },
            stop: close * 0.9,
            targets: [close * 1.2],
          },
          kind,
        );
        expect(levelsAtTicks(levels, kind)).toEqual(levels);
      }),
    );
  });
});
