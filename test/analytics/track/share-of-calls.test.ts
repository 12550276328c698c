import { describe, expect, it } from "vitest";
import { type SettledCall, shareOfCalls } from "../../../src/analytics/track/share-of-calls.ts";

const settled = (over: Partial<SettledCall> = {}): SettledCall => ({
  symbol: "AAPL",
  from: 0,
  until: 10,
  happened: true,
  odds: 0.6,
  base: 0.5,
  ...over,
});

describe("the share of calls", () => {
  it("is null without calls", () => {
    const none = { happened: null, interval: null, odds: null, base: null };
    expect(shareOfCalls([])).toEqual({ n: 0, n_eff: 0, ...none });
  });

  it("weighs repeats of one call as one", () => {
    const repeats = Array.from({ length: 99 }, () => settled());
    const other = settled({ symbol: "MSFT", happened: false, odds: 0.2, base: 0.3 });
    const share = shareOfCalls([...repeats, other]);
    expect(share).toMatchObject({ n: 100, n_eff: 2 });
    expect(share.happened).toBeCloseTo(0.5, 12);
    expect(share.odds).toBeCloseTo(0.4, 12);
    expect(share.base).toBeCloseTo(0.4, 12);
  });

  it("weighs daily repeats with one common deadline as one", () => {
    const daily = Array.from({ length: 10 }, (_, day) => settled({ from: day, until: 20 }));
    const share = shareOfCalls([...daily, settled({ symbol: "MSFT", happened: false })]);
    expect(share).toMatchObject({ n: 11, n_eff: 2 });
    expect(share.happened).toBeCloseTo(0.5, 12);
  });

  it("counts only windows of a symbol that do not overlap as independent", () => {
    const windows = [
      [0, 10],
      [5, 12],
      [10, 20],
      [0, 30],
    ].map(([from, until]) => settled({ from: from!, until: until! }));
    expect(shareOfCalls(windows).n_eff).toBe(2);
    expect(shareOfCalls([...windows, settled({ symbol: "KO" })]).n_eff).toBe(3);
  });

  it("has the Wilson interval over independent windows", () => {
    // Wilson (1927) for 1 of 1: low = 1 / (1 + z²) with z = 1.959964
    const { interval } = shareOfCalls([settled()]);
    expect(interval!.low).toBeCloseTo(1 / (1 + 1.959964 ** 2), 5);
    expect(interval!.high).toBe(1);
  });
});
