import { yearLessMonthReturn } from "../../src/analytics/drivers/relative-strength.ts";
import type { ConsensusInput } from "../../src/analytics/score/consensus.ts";
import type { Bars } from "../../src/domain/market/bars.ts";
import { syntheticBars } from "./synthetic-bars.ts";

/** Input about a stock of a made-up company: benchmark, three peers and a universe of 25 other stocks. */
export function inputFor(bars: Bars, more: Partial<ConsensusInput> = {}): ConsensusInput {
  const own = yearLessMonthReturn(bars.close, 252);
  const others = Array.from({ length: 25 }, (_, i) => (i - 12) / 40);
  return {
    bars,
    assetClass: "equity",
    benchmark: syntheticBars(101, bars.time.length),
    isBenchmark: false,
    peers: [102, 103, 104].map((seed) => syntheticBars(seed, bars.time.length)),
    universe: { returns: own === null ? others : [...others, own], own, hash: "made-up" },
    ...more,
  };
}

/** The bars with every price column multiplied by `k`. */
export const scaled = (bars: Bars, k: number): Bars => ({
  ...bars,
  open: bars.open.map((x) => x * k),
  high: bars.high.map((x) => x * k),
  low: bars.low.map((x) => x * k),
  close: bars.close.map((x) => x * k),
});
