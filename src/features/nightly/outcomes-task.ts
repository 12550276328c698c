import { peerReturnsOnce } from "../../analytics/drivers/relative-strength.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { digestOnce } from "../signal/inputs-hash.ts";
import { type EngineOutcome, outcomeOf, type RowInputs } from "./engine-row.ts";

/** Computes the outcomes of a batch of symbols, in the order of the subjects. */
export const outcomesTask: ComputeTask<readonly RowInputs[], readonly EngineOutcome[]> = {
  name: "outcomes",
  duration: "long",
  async run(subjects, { signal }) {
    const shared = { digest: digestOnce(), peerReturn: peerReturnsOnce() };
    const outcomes: EngineOutcome[] = [];
    for (const subject of subjects) {
      if (isBusy()) await yieldToEventLoop();
      signal.throwIfAborted();
      outcomes.push(outcomeOf(subject, shared));
    }
    return outcomes;
  },
};
