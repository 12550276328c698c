import type { OddsAnswer } from "../../src/domain/odds/odds.ts";

/** Range after a number of bars with these seven quantiles; its base is wider by 1 below and 2 above. */
export const rangeOf = (bars: number, [p5, p10, p25, p50, p75, p90, p95]: readonly number[]) => {
  const quantiles = { p5: p5!, p10: p10!, p25: p25!, p50: p50!, p75: p75!, p90: p90!, p95: p95! };
  return {
    bars,
    ...quantiles,
    base: { ...quantiles, p5: p5! - 1, p95: p95! + 2 },
    move_percent: 1,
    base_move_percent: 1,
  };
};

/** Odds from a close of 100 after 1, 5 and 20 bars, with a level near and one far, and a plan over 20 bars. */
export const oddsAnswer = (over: Partial<OddsAnswer> = {}): OddsAnswer => ({
  from: 100,
  ranges: [
    rangeOf(1, [97, 98, 99, 100, 101, 102, 103]),
    rangeOf(5, [93, 95, 98, 100, 103, 106, 108]),
    rangeOf(20, [86, 89, 95, 101, 107, 113, 117]),
  ],
  levels: [
    {
      price: 110,
      change_percent: 10,
      touch: [
        { bars: 1, odds: 0.01, base: 0.01 },
        { bars: 5, odds: 0.09, base: 0.08 },
        { bars: 20, odds: 0.31, base: 0.28 },
      ],
    },
    {
      price: 1_000,
      change_percent: 900,
      touch: [1, 5, 20].map((bars) => ({ bars, odds: 0, base: 0 })),
    },
  ],
  plan: {
    side: "LONG",
    stop: 95,
    target: 112,
    version: "odds-1.0.0",
    bars: 20,
    from: 100,
    stop_first: 0.48,
    target_first: 0.23,
    neither: 0.29,
    base: { stop_first: 0.55, target_first: 0.22, neither: 0.23, windows: 480 },
  },
  volatility: {
    realized_20_percent: 20,
    realized_60_percent: 20,
    next_bar_percent: 20,
    horizon_percent: 20,
    options: null,
    options_reason: "Crypto options are not supported",
  },
  method: { version: "odds-1.0.0", paths: 4_000, seed: 1, bars_read: 300, drift_percent_a_year: 5 },
  past_coverage: [],
  past_coverage_basis: null,
  ...over,
});
