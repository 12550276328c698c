import {
  type Consensus,
  type ConsensusInput,
  consensus,
  MODEL_VERSION,
} from "../../analytics/score/consensus.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import { type Structure, stageOf, structureOf } from "./structure.ts";

/** What is computed from the inputs of a signal alone. */
export interface ComputedPicture {
  readonly consensus: Consensus;
  /** Market structure of the same bars; the score does not use it. */
  readonly structure: Structure;
  /** Weinstein stage; null until stage 2 or 4 first occurs. */
  readonly stage: number | null;
}

interface PictureInput {
  readonly input: ConsensusInput;
  /** Hash of the input, see `inputsHash`. */
  readonly hash: string;
}

export const pictureTask: ComputeTask<PictureInput, ComputedPicture> = {
  name: "picture",
  duration: "short",
  // the hash covers the numbers, but not how their series were made and why facts are missing
  keyOf: ({ input: { bars, benchmark, peers, missingReasons }, hash }) => {
    const kinds = [bars, benchmark, ...peers].map((one) => one && [one.timeframe, one.adjustment, one.zone]);
    return JSON.stringify([MODEL_VERSION, hash, kinds, missingReasons]);
  },
  run: ({ input }) => ({
    consensus: consensus(input),
    structure: structureOf(input.bars),
    stage: stageOf(input.bars),
  }),
};
