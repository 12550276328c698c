/** `quick` fits into the test run; `full` takes minutes. */
export type Scale = "quick" | "full";

/** Options of one run. */
export interface ProofOptions {
  readonly scale: Scale;
  /** Seed of every random draw, so that a run can be repeated. */
  readonly seed: number;
  /** Number of consecutive seeds; null for the default of the scale. */
  readonly seeds: number | null;
  /** Prints progress. */
  report(line: string): void;
}

/** The measured figure, and every violation of the claim. */
export interface ProofResult {
  readonly figure: string;
  readonly broken: readonly string[];
}

/** A claim about the product with the code that checks it. */
export interface Proof {
  readonly name: string;
  /** The claim, in one sentence. */
  readonly claim: string;
  /** True for a claim about PostgreSQL, which is skipped without one. Default: false. */
  readonly needsPostgres?: true;
  run(stage: ProofOptions): Promise<ProofResult>;
}

/** Default seed. */
export const SEED = 20_261_121;
