import { describe, expect, it } from "vitest";
import { recentMoves } from "../../src/analytics/moves.ts";
import { climbingBars, withPrices } from "../support/market.ts";

/** 61 closes of 100, the last ones replaced. */
const endingIn = (...closes: readonly number[]) => {
  const flat = climbingBars({ count: 61, step: 0 });
  return withPrices(flat, (price, i) => price - 100 + (closes[i - 61 + closes.length] ?? 100));
};

describe("recent moves", () => {
  it("are returns over 1, 5, 20 and 60 sessions in percent", () => {
    // the closes climb by 0.5 from 100 to 130
    const { returns } = recentMoves(climbingBars({ count: 61, step: 0.5 }));
    expect(returns).toEqual({ "1d": 0.3861, "5d": 1.9608, "20d": 8.3333, "60d": 30 });
  });

  it("are null with too few bars", () => {
    const bars = climbingBars({ count: 20, step: 0.5 });
    expect(recentMoves(bars)).toEqual({
      returns: { "1d": 0.4587, "5d": 2.3364, "20d": null, "60d": null },
      volume: 1000,
      volume_ratio: null,
      above_sma_50: null,
      previous_close: 109,
      closes: Array.from({ length: 20 }, (_, i) => 100 + 0.5 * i),
    });
    const single = recentMoves(climbingBars({ count: 1 }));
    expect([single.returns["1d"], single.previous_close, single.closes]).toEqual([null, null, [100]]);
  });

  it("have the close before and the last 30 closes, oldest first", () => {
    const { previous_close, closes } = recentMoves(climbingBars({ count: 61, step: 0.5 }));
    expect(previous_close).toBe(129.5);
    expect(closes).toEqual(Array.from({ length: 30 }, (_, i) => 115.5 + 0.5 * i));
  });

  it("compare the last volume with the mean of the 20 sessions before", () => {
    const bars = climbingBars({ count: 21 });
    const volume = bars.volume.map((one, i) => (i === 20 ? 2500 : one));
    expect(recentMoves({ ...bars, volume })).toMatchObject({ volume: 2500, volume_ratio: 2.5 });
    expect(recentMoves({ ...bars, volume: bars.volume.map(() => 0) })).toMatchObject({
      volume: null,
      volume_ratio: null,
    });
  });

  it("compare the close with the mean of the last 50 closes", () => {
    expect(recentMoves(endingIn(100.5)).above_sma_50).toBe(true);
    expect(recentMoves(endingIn(99.5)).above_sma_50).toBe(false);
    expect(recentMoves(endingIn()).above_sma_50).toBe(false);
    expect(recentMoves(climbingBars({ count: 49 })).above_sma_50).toBeNull();
    expect(recentMoves(climbingBars({ count: 50 })).above_sma_50).toBe(true);
  });

  it("are null over bars that may contain an unadjusted split", () => {
    // halved ten sessions before the last one
    const bars = withPrices(climbingBars({ count: 61, step: 0 }), (price, i) => (i < 51 ? price : price / 2));
    const raw = recentMoves({ ...bars, adjustment: "raw" });
    expect(raw.returns).toEqual({ "1d": 0, "5d": 0, "20d": null, "60d": null });
    expect([raw.above_sma_50, raw.previous_close, raw.closes]).toEqual([null, 50, null]);
    expect(recentMoves(bars).returns["20d"]).toBe(-50);
  });
});
