import { lookAhead } from "../../src/analytics/backtest/look-ahead.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";
import { BUGS } from "./look-ahead/bugs.ts";
import { HONEST } from "./look-ahead/honest.ts";

const BARS = 400;
const SEEDS = 10;

/** Counts the seeded biases that the detector finds and the honest strategies that it flags, over several markets. */
export function counts(seeds: number): { readonly [K in "found" | "bugs" | "accused" | "honest"]: number } {
  const markets = Array.from({ length: seeds }, (_, seed) => syntheticBars(seed + 1, BARS));
  const bugs = Object.values(BUGS);
  const honest = Object.values(HONEST);
  return {
    found: bugs.filter((bug) => markets.every((bars) => lookAhead(bug, bars) !== null)).length,
    bugs: bugs.length,
    accused: honest.filter((one) => markets.some((bars) => lookAhead(one, bars) !== null)).length,
    honest: honest.length,
  };
}

/** Prints the seeded biases that the look-ahead detector finds, and its false positives. */
export function run(): void {
  const { found, bugs, accused, honest } = counts(SEEDS);
  console.log(`Look-ahead detector, ${SEEDS} made-up markets of ${BARS} daily bars`);
  console.log(`seeded mistakes found in every market: ${found} of ${bugs}`);
  console.log(`honest strategies accused in any:      ${accused} of ${honest}`);
  if (found < bugs || accused > 0) process.exitCode = 1;
}
