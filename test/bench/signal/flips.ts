import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { closeEvaluator } from "../../../src/analytics/explain/close-evaluator.ts";
import { nearestFlips } from "../../../src/analytics/explain/flip.ts";
import { type ConsensusInput, consensus } from "../../../src/analytics/score/consensus.ts";
import { everyTick } from "../../support/every-tick.ts";

const FLIPS = ["direction", "better", "worse"] as const;

/**
 * Tests every tick for flips and prints how many of them `explain` misses or reports at another price. Fails the run if
 * there are any.
 */
export function missedFlips(inputs: readonly ConsensusInput[]): void {
  const missed = { direction: 0, better: 0, worse: 0 };
  const none = { ...missed };
  let ticks = 0;
  for (const input of inputs) {
    const known = consensus(input);
    const flips = nearestFlips(input, known);
    const evaluate = closeEvaluator(input, driverContext(input.bars, input.assetClass).stage);
    const scanned = everyTick(known, known.close, flips.searched!, (close) => {
      ticks++;
      return evaluate(close).verdict;
    });
    for (const flip of FLIPS) {
      if (flips[flip].price !== scanned[flip]) missed[flip]++;
      if (scanned[flip] === null) none[flip]++;
    }
  }
  const summary = FLIPS.map((flip) => `${flip} ${missed[flip]} (${none[flip]} bars have none)`).join(", ");
  console.log(`missed flips over ${inputs.length} bars and ${ticks} ticks: ${summary} (target: 0)`);
  if (FLIPS.some((flip) => missed[flip] > 0)) process.exitCode = 1;
}
