import type { Levels } from "../../analytics/levels/levels.ts";
import { type Consensus, type ConsensusInput, consensus } from "../../analytics/score/consensus.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";

/** The verdict of a signal with its levels; null with too few bars for levels. */
export interface Verdict extends Pick<Consensus, "direction" | "grade" | "score" | "close"> {
  readonly levels: Levels | null;
  readonly levels_basis: "signal" | "watch" | null;
}

/** Computes a signal without structure and odds, which take most of the time of a full one. */
export const verdictTask: ComputeTask<{ readonly input: ConsensusInput }, Verdict> = {
  name: "verdict",
  duration: "short",
  run({ input }) {
    const { direction, grade, score, close, levels, levels_basis } = consensus(input);
    return { direction, grade, score, close, levels, levels_basis };
  },
};
