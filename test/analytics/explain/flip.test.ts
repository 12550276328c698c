import { describe, expect, it } from "vitest";
import { nearestFlip } from "../../../src/analytics/explain/flip.ts";
import { type ConsensusInput, consensus } from "../../../src/analytics/score/consensus.ts";
import type { Bars } from "../../../src/domain/bars.ts";
import { inputFor, scaled } from "../../support/consensus-input.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";

/** The input had its last bar closed elsewhere. */
function closedAt(input: ConsensusInput, price: number): ConsensusInput {
  const { bars } = input;
  const change = (column: Float64Array, value: (old: number) => number) =>
    column.map((old, i) => (i === column.length - 1 ? value(old) : old));
  const moved: Bars = {
    ...bars,
    close: change(bars.close, () => price),
    high: change(bars.high, (old) => Math.max(old, price)),
    low: change(bars.low, (old) => Math.min(old, price)),
  };
  return { ...input, bars: moved };
}

const inputs = Array.from({ length: 20 }, (_, i) => inputFor(syntheticBars(i + 1, 500)));

describe("nearestFlip", () => {
  it("names a close at which the direction really differs, and a tick nearer does not", () => {
    let found = 0;
    for (const input of inputs) {
      const { direction, close } = consensus(input);
      const flip = nearestFlip(input, direction);
      if (flip.price === null) continue;
      found++;
      expect(consensus(closedAt(input, flip.price)).direction).toBe(flip.direction);
      expect(flip.direction).not.toBe(direction);
      expect(flip.change).toBeCloseTo(flip.price / close - 1, 12);
      expect(flip.price).toBeCloseTo(Math.round(flip.price * 100) / 100, 9);
      const nearer = flip.price + (flip.price > close ? -0.011 : 0.011);
      if ((nearer - close) * (flip.price - close) > 0)
        expect(consensus(closedAt(input, nearer)).direction).toBe(direction);
    }
    expect(found).toBeGreaterThan(10);
  });

  it.each([10, 31, 89, 131])(
    "takes the nearer of a turn above and one below (market %i has both)",
    (seed) => {
      const input = inputFor(syntheticBars(seed, 500));
      const { direction, close } = consensus(input);
      const away = nearestFlip(input, direction).price! - close;
      for (let share = 0.1; share <= 1; share += 0.1)
        expect(consensus(closedAt(input, close - share * away)).direction).toBe(direction);
    },
  );

  it("looks no farther than 30% or 10 average ranges", () => {
    for (const input of inputs) {
      const { direction, close, levels } = consensus(input);
      const { price, searched } = nearestFlip(input, direction);
      const range = Math.min(0.3 * close, 10 * levels!.atr14);
      expect(searched!.low).toBeCloseTo(close - range, 9);
      expect(searched!.high).toBeCloseTo(close + range, 9);
      if (price !== null) expect(Math.abs(price - close)).toBeLessThanOrEqual(range + 0.01);
    }
  });

  it("finds a price of many decimals where the price is small", () => {
    const small = inputs.map(({ bars }) => inputFor(scaled(bars, 1e-6)));
    const flips = small.map((input) => nearestFlip(input, consensus(input).direction));
    expect(flips.filter(({ price }) => price !== null).length).toBeGreaterThan(10);
    for (const { price, searched } of flips) if (price !== null) expect(price).toBeGreaterThan(searched!.low);
  });

  it("finds none under 252 bars, where no close makes a score, and says where it looked", () => {
    const { price, searched } = nearestFlip(inputFor(syntheticBars(1, 200)), "WAIT");
    expect(price).toBeNull();
    expect(searched).not.toBeNull();
  });

  it("searches nothing without an average range", () => {
    expect(nearestFlip(inputFor(barsAround([1, 2, 3])), "WAIT")).toEqual({
      price: null,
      direction: null,
      change: null,
      searched: null,
    });
  });

  it("leaves the input as it was", () => {
    const input = inputFor(syntheticBars(7, 500));
    const before = [...input.bars.close];
    nearestFlip(input, "WAIT");
    expect([...input.bars.close]).toEqual(before);
  });
});
