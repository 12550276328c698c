import { parentPort } from "node:worker_threads";
import { digestOnce } from "../signal/inputs-hash.ts";
import { type EngineOutcome, outcomeOf } from "./engine-row.ts";
import { type Batch, unpack } from "./packed.ts";

/** Outcomes of a batch, in the order of its subjects. */
export type BatchOutcomes = readonly EngineOutcome[];

// `parentPort` is null outside a worker thread.
parentPort?.on("message", (batch: Batch) => {
  const digest = digestOnce();
  const answer: BatchOutcomes = unpack(batch).map((subject) => outcomeOf(subject, digest));
  parentPort?.postMessage(answer);
});
