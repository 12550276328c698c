import { ODDS_VERSION, oddsBars } from "../../analytics/odds/odds.ts";
import { type InstrumentKind, instrumentProfile } from "../../analytics/odds/profile.ts";
import {
  type Consensus,
  type ConsensusInput,
  consensus,
  MODEL_VERSION,
  oddsBarsOf,
} from "../../analytics/score/consensus.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import { type SignalOddsOutcome, signalOdds } from "./signal-odds.ts";
import { type Structure, stageOf, structureOf } from "./structure.ts";

/** What is computed from the inputs of a signal alone. */
export interface ComputedPicture {
  readonly consensus: Consensus;
  /** Market structure of the same bars; the score does not use it. */
  readonly structure: Structure;
  /** Weinstein stage; null until stage 2 or 4 first occurs. */
  readonly stage: number | null;
  /** Odds of its levels. */
  readonly odds: SignalOddsOutcome;
  readonly kind: InstrumentKind;
}

export interface PictureInput {
  readonly input: ConsensusInput;
  readonly symbol: string;
  /** Hash of the input, see `inputsHash`. */
  readonly hash: string;
}

/**
 * Returns a key that is equal only for inputs with the same results: the hash covers the numbers, but not how their series
 * were made and why facts are missing.
 */
export function pictureKey({ input, symbol, hash }: PictureInput): string {
  const { bars, benchmark, peers, missingReasons } = input;
  const kinds = [bars, benchmark, ...peers].map(
    (one) => one && [one.timeframe, one.adjustment, one.zone, one.noSplits],
  );
  return JSON.stringify([MODEL_VERSION, ODDS_VERSION, symbol, hash, kinds, missingReasons]);
}

export const pictureTask: ComputeTask<PictureInput, ComputedPicture> = {
  name: "picture",
  duration: "short",
  keyOf: pictureKey,
  run({ input, symbol }) {
    const { bars, assetClass } = input;
    const computed = consensus(input);
    return {
      consensus: computed,
      structure: structureOf(bars),
      stage: stageOf(bars),
      kind: instrumentProfile(oddsBars(oddsBarsOf(input)), assetClass).kind,
      odds: signalOdds({ bars: oddsBarsOf(input), symbol, assetClass, levels: computed.levels }),
    };
  },
};
