import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { closeEvaluator } from "../../../src/analytics/explain/close-evaluator.ts";
import { nearestFlips } from "../../../src/analytics/explain/flip.ts";
import { type ConsensusInput, consensus } from "../../../src/analytics/score/consensus.ts";
import { everyTick } from "../../support/every-tick.ts";

const TURNS = ["direction", "better", "worse"] as const;

/** Counts flips found by testing every tick that explain misses or reports at another price; misses fail the run. */
export function missedFlips(inputs: readonly ConsensusInput[]): void {
  const missed = { direction: 0, better: 0, worse: 0 };
  const none = { ...missed };
  let tried = 0;
  for (const input of inputs) {
    const known = consensus(input);
    const flips = nearestFlips(input, known);
    const lookAt = closeEvaluator(input, driverContext(input.bars, input.assetClass).stage);
    const scanned = everyTick(known, known.close, flips.searched!, (close) => {
      tried++;
      return lookAt(close).verdict;
    });
    for (const turn of TURNS) {
      if (flips[turn].price !== scanned[turn]) missed[turn]++;
      if (scanned[turn] === null) none[turn]++;
    }
  }
  const summary = TURNS.map((turn) => `${turn} ${missed[turn]} (${none[turn]} bars have none)`).join(", ");
  console.log(
    `missed flips over ${inputs.length} bars and ${tried} ticks tried one by one: ${summary} (to reach: 0)`,
  );
  if (TURNS.some((turn) => missed[turn] > 0)) process.exitCode = 1;
}
