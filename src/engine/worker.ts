import { parentPort } from "node:worker_threads";
import { outcomeOf } from "../signals/engine-row.ts";
import { digestOnce } from "../signals/inputs-hash.ts";
import { type Batch, unpack } from "./packed.ts";

// runs on a thread of its own; anywhere else there is no parent to listen to
parentPort?.on("message", (batch: Batch) => {
  const digest = digestOnce();
  parentPort?.postMessage(unpack(batch).map((subject) => outcomeOf(subject, digest)));
});
