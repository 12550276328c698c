import type { JobHandler, Jobs } from "../../domain/jobs-port.ts";
import type { RunHead } from "../../domain/nightly/engine.ts";

/** Jobs that each resume and finish a run of which parts had failed. */
export const RESUME = "nightly_run";

/** Interval at which this process looks for runs to resume that no message announced, such as those that a command retried. */
const POLL_MS = 60_000;

interface ResumeDeps {
  readonly jobs: Pick<Jobs, "work" | "end">;
  /** Returns the head of an unfinished run that can be resumed; null for any other. */
  readonly resumable: (run: string) => Promise<RunHead | null>;
  /** Finishes the run, or rejects with the reason why it could not. */
  readonly resume: (head: RunHead, signal: AbortSignal) => Promise<unknown>;
}

/** Starts resuming runs; returns a function that ends it. One process does it at a time, so that no two resume one run. */
export function resumeRuns({ jobs, resumable, resume }: ResumeDeps): () => Promise<void> {
  const handle: JobHandler = async (job, signal) => {
    const head = await resumable(job.run);
    // null: finished meanwhile, or replaced by a run over a newer close
    if (head !== null) await resume(head, signal);
    return jobs.end(job, null);
  };
  return jobs.work(RESUME, handle, { concurrency: 1, retries: false, pollMs: POLL_MS });
}
