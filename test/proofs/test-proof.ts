import { expect, it } from "vitest";
import { type Proof, SEED } from "./proof.ts";

/** Only for a proof that hangs: the waits within it are shorter and say what they waited for. */
const PATIENCE_MS = 600_000;
/** Maximum number of violations shown when a proof fails. */
const MAX_SHOWN = 30;

/** Runs a proof at its quick scale as the only test of a file, so that proofs run in parallel. */
export const testProof = ({ claim, run }: Proof): void =>
  it(
    claim,
    async () => {
      const { figure, broken } = await run({ scale: "quick", seed: SEED, seeds: null, report() {} });
      expect(broken.slice(0, MAX_SHOWN), figure).toEqual([]);
    },
    PATIENCE_MS,
  );
