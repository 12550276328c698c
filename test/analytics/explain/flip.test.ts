import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestFlips } from "../../../src/analytics/explain/flip.ts";
import { flipSearch } from "../../../src/analytics/explain/flip-search.ts";
import { type ConsensusInput, consensus } from "../../../src/analytics/score/consensus.ts";
import { inputFor, scaled } from "../../support/consensus-input.ts";
import { atScale, draws } from "../../support/draws.ts";
import { closedAt, everyTick } from "../../support/every-tick.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { wildBars } from "../../support/wild-bars.ts";

/** Flips of an input, and the result of testing every tick. */
function both(input: ConsensusInput) {
  const known = consensus(input);
  const flips = nearestFlips(input, known);
  const scanned = everyTick(known, known.close, flips.searched!, (price) =>
    consensus(closedAt(input, price)),
  );
  const { direction, better, worse } = flips;
  return {
    known,
    flips,
    prices: { direction: direction.price, better: better.price, worse: worse.price },
    scanned,
  };
}

/** The bars scaled to a price, which sets the relative size of a tick. */
const around = (price: number, input: ConsensusInput): ConsensusInput => {
  const { bars } = input;
  return { ...input, bars: scaled(bars, price / bars.close[bars.close.length - 1]!) };
};

const inputs = Array.from({ length: atScale(6, 12) }, (_, i) =>
  around(9, inputFor(syntheticBars(i + 1, 500))),
);
let solved: readonly ReturnType<typeof both>[] | undefined;
/** Both results for each input, computed once: testing every tick is slow. */
const solutions = () => (solved ??= inputs.map(both));

describe("nearestFlips", () => {
  it("matches testing every tick on synthetic markets", () => {
    const turned = inputs.map((input, i) => {
      const { prices, scanned, flips, known } = solutions()[i]!;
      expect(prices).toEqual(scanned);
      const { direction, worse } = flips;
      if (direction.price === null) return false;
      expect(consensus(closedAt(input, direction.price))).toMatchObject({
        direction: direction.direction,
        grade: direction.grade,
      });
      expect(direction.change).toBeCloseTo(direction.price / known.close - 1, 12);
      expect(direction.direction).not.toBe(known.direction);
      expect(worse.grade).not.toBe(known.grade);
      return true;
    });
    expect(turned.filter(Boolean).length).toBeGreaterThan(atScale(3, 6));
  });

  it("matches on gaps, crashes and days without a trade too", () => {
    const made = fc.record({
      seed: fc.integer({ min: 1, max: 9999 }),
      price: fc.double({ min: 1, max: 4, noNaN: true }),
      last: fc.array(fc.double({ min: 0, max: 25, noNaN: true }), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(made, ({ seed, price, last }) => {
        const { prices, scanned } = both(around(price, inputFor(wildBars(seed, 300, last))));
        expect(prices).toEqual(scanned);
      }),
      { numRuns: draws(40) },
    );
  });

  it("distinguishes a flip by levels alone from one by the score", () => {
    const reasons = inputs.flatMap((input, i) => {
      const { known, flips } = solutions()[i]!;
      const { price, reason } = flips.direction;
      if (price === null) return [];
      const there = consensus(closedAt(input, price));
      const sided = (s: number | null) => (s === null || Math.abs(s) < 0.25 ? 0 : Math.sign(s));
      expect(reason!.startsWith("Only the levels change, as ")).toBe(sided(known.s) === sided(there.s));
      return [reason!.split(/[:0-9]/)[0]];
    });
    expect(new Set(reasons).size).toBeGreaterThan(1);
  });

  it("searches at most 30% or 10 average ranges, and returns the searched range and tick", () => {
    for (const { known, flips } of solutions()) {
      const range = Math.min(0.3 * known.close, 10 * known.levels!.atr14);
      expect(flips.searched).toEqual({
        low: Math.ceil((known.close - range) * 100) / 100,
        high: Math.floor((known.close + range) * 100) / 100,
        tick: 0.01,
      });
    }
  });

  it("finds a price with many decimals for a low-priced instrument", () => {
    const small = around(0.0000123, { ...inputFor(syntheticBars(3, 500)), assetClass: "crypto" });
    const { flips, prices, scanned } = both(small);
    expect(flips.searched!.tick).toBe(1e-9);
    expect(prices).toEqual(scanned);
    expect(flips.direction.price).not.toBeNull();
  });

  it("finds no better grade than A+", () => {
    const known = { direction: "LONG", grade: "A+", s: 0.8 } as const;
    expect(nearestFlips(inputs[0]!, known).better).toEqual({
      price: null,
      change: null,
      direction: null,
      grade: null,
      reason: "There is no better grade",
    });
  });

  it("finds none below 252 bars, where no close gives a score, and still returns the searched range", () => {
    const input = inputFor(syntheticBars(1, 200));
    const { direction, better, worse, searched } = nearestFlips(input, consensus(input));
    for (const turn of [direction, better, worse])
      expect(turn).toMatchObject({ price: null, reason: "A score needs 252 bars, whatever the close" });
    expect(searched).not.toBeNull();
  });

  it("does not search without an average range", () => {
    const none = { price: null, change: null, direction: null, grade: null };
    const reason = "The average true range is unknown or too small to search";
    expect(
      nearestFlips(inputFor(barsAround([1, 2, 3])), { direction: "WAIT", grade: null, s: null }),
    ).toEqual({
      direction: { ...none, reason },
      better: { ...none, reason },
      worse: { ...none, reason },
      searched: null,
    });
  });

  it("reports the distance it could rule out when it gives up", () => {
    const input = inputFor(syntheticBars(1, 500));
    const known = consensus(input);
    const { direction } = nearestFlips(input, known, flipSearch(input, 3));
    expect(direction.price).toBeNull();
    expect(direction.reason).toMatch(
      /^Unknown: too many changes within [\d.]+ of the close to resolve every tick$/,
    );
  });
});
