import { type Explanation, explain } from "../../analytics/explain/explain.ts";
import type { Consensus } from "../../analytics/score/consensus.ts";
import type { Compute, ComputeTask } from "../../domain/compute-port.ts";
import type { Picture } from "./picture.ts";
import { type PictureInput, pictureKey } from "./picture-task.ts";

interface ExplainInput extends PictureInput {
  readonly known: Consensus;
}

/** Explains a signal: searches the prices at which it changes, which takes many times as long as the signal. */
export const explainTask: ComputeTask<ExplainInput, Explanation> = {
  name: "explain",
  duration: "short",
  keyOf: pictureKey,
  run: ({ input, known }) => explain(input, known),
};

/** Explains the signal of a picture in a worker thread. */
export const explainPicture = (
  { input, consensus: known, inputsHash: hash, resolution }: Picture,
  { compute, signal }: { readonly compute: Compute; readonly signal: AbortSignal },
): Promise<Explanation> =>
  compute.run(explainTask, { input, known, symbol: resolution.instrument.symbol, hash }, { signal });
