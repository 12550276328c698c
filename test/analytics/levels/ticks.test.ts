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

const levelsOf = (levels: Levels, kind: "equity" | "etf" | "crypto" = "equity"): Levels => {
  const { levels: atTicks, reason } = levelsAtTicks(levels, kind);
  if (atTicks === null) throw new Error(reason);
  return atTicks;
};

describe("levels at ticks", () => {
  it("are entry and targets at the nearest tick, and the stop at the next one beyond it", () => {
    expect(levelsOf(long)).toMatchObject({
      entry: { low: 137.12, high: 137.63 },
      stop: 135.87,
      targets: [141.62, 143.38, 145.1],
      reward_to_risk: 2.26, // 3.99 / 1.76 = 2.267
      break_even_win_rate: 1 / 3.26,
    });
  });

  it("have a stop above its exact price for a SHORT", () => {
    const short: Levels = {
      ...long,
      side: "SHORT",
      entry: { low: 0.9871239, high: 1.0049 },
      stop: 1.021,
      targets: [0.93334],
    };
    expect(levelsOf(short)).toMatchObject({ entry: { low: 0.9871, high: 1 }, stop: 1.03, targets: [0.9333] });
  });

  it("are at five significant digits for coins", () => {
    const coin = { ...long, entry: { low: 1.98123, high: 1.99456 }, stop: 1.93456, targets: [2.0456789] };
    expect(levelsOf(coin, "crypto")).toMatchObject({
      entry: { low: 1.9812, high: 1.9946 },
      stop: 1.9345,
      targets: [2.0457],
      reward_to_risk: 0.85, // .0511 / .0601
    });
  });

  it.each([
    ["LONG", { low: 10.0001, high: 10.001 }, 9.9999, [10.003], { low: 10, high: 10.01 }, 9.99, [10.02]],
    ["SHORT", { low: 9.999, high: 9.9999 }, 10.0001, [9.997], { low: 9.99, high: 10 }, 10.01, [9.98]],
  ] as const)(
    "lie one tick apart for a %s whose exact levels lie closer",
    (side, entry, stop, targets, ...at) => {
      const [zone, beyond, first] = at;
      expect(levelsOf({ ...long, side, entry, stop, targets })).toMatchObject({
        entry: zone,
        stop: beyond,
        targets: first,
        reward_to_risk: 0.5,
      });
    },
  );

  it("are missing where a step of the price is wider than the price allows", () => {
    const narrow = { ...long, entry: { low: 0.00012, high: 0.00013 }, stop: 0.0001, targets: [0.0002] };
    expect(levelsAtTicks({ ...narrow, stop: 0.00009 }, "equity")).toEqual({
      levels: null,
      reason: "Price steps are too wide at this price for a stop and a target",
    });
  });

  it.each(["LONG", "SHORT"] as const)(
    "keep the order of stop, zone and targets for every price of a %s",
    (side) => {
      const price = fc.double({ min: 1e-9, max: 500_000, noNaN: true });
      const width = fc.double({ min: 1e-6, max: 0.05, noNaN: true });
      fc.assert(
        fc.property(price, width, fc.constantFrom("equity", "crypto", "etf"), (close, wide, kind) => {
          const away = side === "LONG" ? wide : -wide;
          const { levels } = levelsAtTicks(
            {
              ...long,
              side,
              entry: { low: close * (1 - wide / 4), high: close * (1 + wide / 4) },
              stop: close * (1 - away),
              targets: [close * (1 + 2 * away), close * (1 + 3 * away)],
            },
            kind,
          );
          if (levels === null) return;
          const { entry, stop, targets, reward_to_risk } = levels;
          const edges = side === "LONG" ? [entry.low, entry.high] : [entry.high, entry.low];
          const prices = [stop, ...edges, ...targets].map((one) => (side === "LONG" ? one : -one));
          expect(prices).toEqual(prices.toSorted((a, b) => a - b));
          expect(new Set(prices).size).toBe(prices.length);
          const exact = Math.abs(targets[0]! - edges[1]!) / Math.abs(edges[1]! - stop);
          expect(reward_to_risk).toBeLessThanOrEqual(exact + 1e-9);
          expect(reward_to_risk).toBeGreaterThan(exact - 0.01);
          expect(levelsAtTicks(levels, kind).levels).toEqual(levels);
        }),
      );
    },
  );
});
