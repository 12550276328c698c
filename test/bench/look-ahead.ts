import { lookAhead } from "../../src/analytics/backtest/look-ahead.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";
import { BUGS } from "./look-ahead/bugs.ts";
import { CORRECT } from "./look-ahead/correct.ts";

const BARS = 400;
const SEEDS = 10;

/** Counts the seeded look-ahead bugs that the detector finds, and the correct strategies that it flags, over several markets. */
export function counts(seeds: number): { readonly [K in "found" | "bugs" | "flagged" | "correct"]: number } {
  const markets = Array.from({ length: seeds }, (_, seed) => syntheticBars(seed + 1, BARS));
  const bugs = Object.values(BUGS);
  const correct = Object.values(CORRECT);
  return {
    found: bugs.filter((bug) => markets.every((bars) => lookAhead(bug, bars) !== null)).length,
    bugs: bugs.length,
    flagged: correct.filter((one) => markets.some((bars) => lookAhead(one, bars) !== null)).length,
    correct: correct.length,
  };
}

/** Prints how many seeded bugs the look-ahead detector finds, and its false positives. */
export function run(): void {
  const { found, bugs, flagged, correct } = counts(SEEDS);
  console.log(`Look-ahead detector, ${SEEDS} synthetic markets of ${BARS} daily bars`);
  console.log(`seeded bugs found in every market:   ${found} of ${bugs}`);
  console.log(`correct strategies flagged in any:   ${flagged} of ${correct}`);
  if (found < bugs || flagged > 0) process.exitCode = 1;
}
