import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsOf, declining, patternCases, rowsThrough } from "../../support/pattern-cases.ts";

/** 40 bars around 100, a rise of 9 in 6 bars, a fall to `bottom` in 6 bars, and a bar that closes at `last`. */
function flag(bottom: number, last: number): Bars {
  const closes: number[] = [
    ...Array<number>(40).fill(100),
    ...[101.5, 103, 104.5, 106, 107.5, 109],
    ...Array.from({ length: 6 }, (_, i) => 109 + ((bottom - 109) * (i + 1)) / 6),
  ];
  return barsOf([...rowsThrough(closes), [bottom, last + 0.125, bottom - 0.125, last]]);
}

patternCases([
  {
    id: "channel_breakout",
    has: declining([110, 115.5, 109.5, 115.375]),
    found: [20, 40, 115.25, 109.5],
    misses: { "a close at the high of 20 bars": declining([110, 115.5, 109.5, 115.25]) },
  },
  {
    id: "bull_flag",
    has: flag(106, 110.125),
    // The base of the pole is the first of the equal lows of the 10 bars before its top.
    found: [35, 52, 109.5, 105.5],
    misses: {
      "a close at the top": flag(106, 109.5),
      "more than half given back": flag(104, 110.125),
    },
  },
]);
