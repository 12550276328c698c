/** A job as one process has taken it. The token grows each time a process takes it, so that a former one cannot end it. */
export interface JobClaim {
  readonly id: number;
  readonly token: number;
}

/** A job that this process does. */
export interface TakenJob extends JobClaim {
  readonly kind: string;
  /** Id of the work of which it is a part. */
  readonly run: string;
  readonly payload: unknown;
  /** Number of times it was taken, this one included. */
  readonly attempts: number;
}

/** `dead`: it failed `MAX_ATTEMPTS` times and is not taken again unless it is retried. */
export type JobState = "pending" | "running" | "done" | "dead";

export interface JobStatus {
  readonly id: number;
  readonly kind: string;
  readonly run: string;
  readonly payload: unknown;
  readonly state: JobState;
  readonly attempts: number;
  /** Why the last attempt failed; null if none did. */
  readonly error: string | null;
  /** null until it is done. */
  readonly result: unknown;
  /** ISO 8601 UTC. */
  readonly addedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** Number of jobs of a kind in a state. */
export interface JobCount {
  readonly kind: string;
  readonly state: JobState;
  readonly count: number;
}

/** Attempts after which a job that fails is dead. */
export const MAX_ATTEMPTS = 5;

/** Jobs of one market, of which each is taken by one process of the installation at a time. */
export interface JobQueue {
  /** Adds the jobs of a run in place of its jobs so far, whose results are no longer stored. */
  replace(kind: string, run: string, payloads: readonly unknown[]): Promise<void>;
  remove(kind: string, run: string): Promise<void>;
  /** Returns the jobs of a run in the order in which they were added. */
  list(kind: string, run: string): Promise<readonly JobStatus[]>;
  /** Takes the next job for `leaseMs`; null if there is none to take. */
  take(kind: string, owner: string, leaseMs: number): Promise<TakenJob | null>;
  /** Extends the lease. Returns false if the job was removed or another process has taken it. */
  renew(claim: JobClaim, leaseMs: number): Promise<boolean>;
  /** Gives a job back, as if it had not been taken. */
  release(claim: JobClaim): Promise<void>;
  /** Ends an attempt; the last one, or a final failure, makes the job dead. */
  fail(claim: JobClaim, error: string, options?: { readonly isFinal?: boolean }): Promise<void>;
  /** Ends a job without anything to write. Returns false if another process has taken it. */
  end(claim: JobClaim, result: unknown): Promise<boolean>;
}

/** A job to add. */
export interface NewJob {
  readonly kind: string;
  readonly run: string;
  readonly payload: unknown;
}

/** Jobs that failed in each attempt. */
export interface DeadJobs {
  /** Returns the dead jobs, the newest first. */
  dead(limit: number): Promise<readonly JobStatus[]>;
  /** Returns a dead job; null if there is none with that id. */
  findDead(id: number): Promise<JobStatus | null>;
  /**
   * Makes a dead job pending again, and adds what has to be done after it, unless a job of that kind and run is not done yet.
   * Returns false if there is no dead job with that id.
   */
  retry(id: number, after: NewJob | null): Promise<boolean>;
}

/** Background jobs as the owner of the installation sees them. */
export interface FailedJobs {
  /** Returns the number of jobs by kind and state; those of which there are none are omitted. */
  counts(): Promise<readonly JobCount[]>;
  /** Returns the jobs that failed in each attempt, the newest first. */
  list(limit: number): Promise<readonly JobStatus[]>;
  /**
   * Has a failed job, and the run of which it is a part, done again by the servers and workers. Returns what happens next.
   * Rejects with NOT_FOUND for any other job, and with REFUSED if its run can no longer be resumed.
   */
  retry(id: number): Promise<string>;
}

/**
 * Does a job, and ends it in the transaction that writes its result. Returns false if another process has taken the job, so
 * that nothing was written. Many parts of the job may listen to the signal.
 */
export type JobHandler = (job: TakenJob, signal: AbortSignal) => Promise<boolean>;

/** Jobs with the processes that do them. */
export interface Jobs
  extends Pick<JobQueue, "replace" | "remove" | "list" | "release" | "end">,
    Pick<DeadJobs, "retry"> {
  /**
   * Takes jobs of a kind, at most `concurrency` at a time. Returns a function that ends it and gives the taken ones back.
   * `retries`: whether a job that fails is tried again; the job of a process that ended always is. Default: true. `pollMs`:
   * interval at which jobs are looked for that no process announced. Default: 1 s.
   */
  work(
    kind: string,
    handler: JobHandler,
    options: { readonly concurrency: number; readonly retries?: boolean; readonly pollMs?: number },
  ): () => Promise<void>;
  /**
   * Waits until no job of a run is pending or running, and returns the jobs; calls `onChange` with them now and after each
   * that ends. Rejects with the reason of the signal.
   */
  settled(
    kind: string,
    run: string,
    options: { readonly signal: AbortSignal; readonly onChange: (jobs: readonly JobStatus[]) => void },
  ): Promise<readonly JobStatus[]>;
}
