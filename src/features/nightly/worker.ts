import { parentPort } from "node:worker_threads";
import { digestOnce } from "../signal/inputs-hash.ts";
import { type Outcome, outcomeOf } from "./engine-row.ts";
import { type Batch, unpack } from "./packed.ts";

/** What a batch is answered with, in the order of its subjects. */
export type Answer = readonly Outcome[];

// runs on a thread of its own; anywhere else there is no parent to listen to
parentPort?.on("message", (batch: Batch) => {
  const digest = digestOnce();
  const answer: Answer = unpack(batch).map((subject) => outcomeOf(subject, digest));
  parentPort?.postMessage(answer);
});
