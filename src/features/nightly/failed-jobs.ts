import type { DeadJobs, FailedJobs } from "../../domain/jobs-port.ts";
import type { RunHead } from "../../domain/nightly/engine.ts";
import { ToolError } from "../../kernel/errors.ts";
import { REPLAY } from "./replay.ts";
import { RESUME } from "./resume-run.ts";
import { OUTCOMES } from "./scoring.ts";
import { SHARD } from "./shards.ts";

interface FailedJobsDeps extends Pick<FailedJobs, "counts"> {
  readonly queue: DeadJobs;
  /** Returns the head of an unfinished run that can be resumed; null for any other. */
  readonly resumable: (run: string) => Promise<RunHead | null>;
}

/** Creates what the owner sees and does with failed jobs. */
export function createFailedJobs({ queue, counts, resumable }: FailedJobsDeps): FailedJobs {
  return {
    counts,
    list: queue.dead,
    async retry(id) {
      const job = await queue.findDead(id);
      if (job === null) throw noSuchJob(id);
      const { kind, run } = job;
      const isOfRun = kind === SHARD || kind === RESUME;
      const head = isOfRun ? await resumable(run) : null;
      if (isOfRun && head === null) throw notResumable(run);
      if (!(await queue.retry(id, kind === SHARD ? { kind: RESUME, run, payload: null } : null)))
        throw noSuchJob(id);
      if (head !== null)
        return `Servers and workers do the job again, and a server finishes the run over ${head.universe}.`;
      return AFTERWARDS[kind] ?? "A server or worker does the job again.";
    },
  };
}

/** What happens after jobs that are only done again, by kind. */
const AFTERWARDS: Readonly<Record<string, string>> = {
  [OUTCOMES]: "A server or worker does the job again, and the next nightly run publishes the track record.",
  [REPLAY]: "A worker does the job again. Start the replay again to publish the track record.",
};

const noSuchJob = (id: number): ToolError =>
  new ToolError("NOT_FOUND", `There is no failed job ${id}`, {
    hint: "Call without retry for the numbers of the failed jobs.",
    command: "market-signal jobs",
  });

const notResumable = (run: string): ToolError =>
  new ToolError("REFUSED", `The run ${run} is finished or out of date and cannot be resumed`, {
    hint: "A new run computes all symbols as of the newest close.",
    command: "market-signal engine run",
  });
