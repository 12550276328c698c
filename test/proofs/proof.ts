/** quick fits into the test run, full takes minutes. */
export type Scale = "quick" | "full";

/** What one run of a proof is given. */
export interface ProofOptions {
  readonly scale: Scale;
  /** Whatever is drawn at random is drawn from it, so that a run can be repeated. */
  readonly seed: number;
  /** How many seeds from that one on; null leaves it to the scale. */
  readonly seeds: number | null;
  /** Says how far a long run has come. */
  report(line: string): void;
}

/** What a run found: the measured figure, and every instance in which the claim did not hold. */
export interface ProofResult {
  readonly figure: string;
  readonly broken: readonly string[];
}

/** A promise of the product with the way to see it kept. */
export interface Proof {
  readonly name: string;
  /** The promise, in one sentence. */
  readonly claim: string;
  run(stage: ProofOptions): Promise<ProofResult>;
}

/** The seed of every run that was given none. */
export const SEED = 20_261_121;
