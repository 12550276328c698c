import { describe, expect, it } from "vitest";
import type { ScoredSignal } from "../../../src/domain/track-record/track.ts";
import { meanOf, ratesBy, ratesOf, withPeerMeans } from "../../bench/track/rates.ts";

const DAY = 86_400_000;
const signalOf = (over: Partial<ScoredSignal>): ScoredSignal => ({
  at: 0,
  known: 20 * DAY,
  asset_class: "equity",
  direction: "LONG",
  grade: "A",
  horizon: 20,
  change: 0.01,
  r: null,
  ...over,
});

describe("rates of a track record", () => {
  const scored = [
    signalOf({ change: 0.04, r: 2 }),
    signalOf({ change: -0.02, grade: "F", direction: "SHORT", r: 1 }),
    // Another class at the same close, another close, another horizon.
    signalOf({ change: 0.5, asset_class: "crypto", direction: "WAIT", grade: "C" }),
    signalOf({ at: 100 * DAY, change: 0.02, r: -1 }),
    signalOf({ horizon: 5, change: -0.9 }),
  ];
  const outcomes = withPeerMeans(scored, 20);

  it("compare each outcome with all of the same close, asset class and horizon", () => {
    expect(outcomes.map(({ base }) => base)).toEqual([0.5, 0.5, 1, 1]);
    expect(outcomes.map(({ others }) => others)).toEqual([0.01, 0.01, 0.5, 0.02]);
  });

  it("report a group's share of rises, its difference from the base, excess return and R", () => {
    const rates = ratesBy(outcomes, ({ grade }) => grade);
    expect([...rates.keys()]).toEqual(["A", "F", "C"]);
    const { n, n_eff, days, higher, base, over, excess, trades, r } = rates.get("A")!;
    expect({ n, n_eff, days, higher, base, trades }).toEqual({
      n: 2,
      n_eff: 0.1,
      days: 2,
      higher: 1,
      base: 0.75,
      trades: 2,
    });
    expect(over.mean).toBe(0.25);
    expect(excess.mean).toBeCloseTo(0.015, 12);
    expect(r!.mean).toBe(0.5);
    expect(rates.get("C")!.r).toBeNull();
  });

  it("skip ungrouped outcomes, and throw without outcomes", () => {
    expect(ratesBy(outcomes, () => null).size).toBe(0);
    expect(() => ratesOf([])).toThrow(RangeError);
  });
});

describe("the mean over quarters", () => {
  const at = (day: string) => ({ at: Date.parse(day) });

  it("has no error for a single quarter", () => {
    const all = [1, 3].map((value) => ({ ...at("2025-01-15"), value }));
    expect(meanOf(all, ({ value }) => value)).toEqual({ mean: 2, error: null });
  });

  it("has an error from the differences between quarters, however many signals each has", () => {
    const all = [
      ...[1, 1].map((value) => ({ ...at("2025-03-31"), value })),
      ...[3, 3].map((value) => ({ ...at("2025-04-01"), value })),
    ];
    // Mean 2; sums less the mean are -2 and 2; 2 * sqrt((4 + 4) * 2 / 1) / 4.
    expect(meanOf(all, ({ value }) => value)).toEqual({ mean: 2, error: 2 });
  });
});
