import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type DeadJobs,
  type JobHandler,
  type JobQueue,
  type Jobs,
  MAX_ATTEMPTS,
  type TakenJob,
} from "../domain/jobs-port.ts";
import type { Peers } from "../domain/peers-port.ts";
import type { Log } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { sharedSignal } from "../lib/shared-signal.ts";

/** Time after which the job of a process that has ended is taken by another one. */
const LEASE_MS = 60_000;
/** Interval at which jobs are looked for that no message of a process announced. */
const POLL_MS = 1_000;
const RETRY_MS = 500;

interface JobsOptions {
  readonly queue: JobQueue & Pick<DeadJobs, "retry">;
  /** Processes that are notified of new and ended jobs. */
  readonly peers: Peers;
  readonly log: Log;
  /** Default: 60 s. */
  readonly leaseMs?: number | undefined;
  /** Delay before the second attempt, which doubles with each further one. Default: 500 ms. */
  readonly retryMs?: number | undefined;
}

/** What is done with the jobs of a kind until it ends. */
interface Work {
  readonly handler: JobHandler;
  readonly retries: boolean;
  readonly pollMs: number;
  readonly ending: AbortSignal;
}

/** Creates the part of a process in the jobs of the installation. */
export function createJobs({ queue, peers, log, leaseMs = LEASE_MS, retryMs = RETRY_MS }: JobsOptions): Jobs {
  const owner = randomUUID();
  const waiting = new Set<() => void>();
  let changes = 0;
  const wake = () => {
    changes++;
    for (const resume of [...waiting]) resume();
  };
  const notify = () => {
    wake();
    void peers.request("jobs", null).catch(() => {});
  };
  peers.onRequest("jobs", () => {
    wake();
    return null;
  });

  /** Waits for a change since `seen`, the signal, or the next look at the queue. */
  const change = (seen: number, signal: AbortSignal, pollMs = POLL_MS): Promise<void> =>
    new Promise((resolve) => {
      if (seen !== changes || signal.aborted) return resolve();
      const resume = () => {
        clearTimeout(timer);
        waiting.delete(resume);
        signal.removeEventListener("abort", resume);
        resolve();
      };
      const timer = setTimeout(resume, pollMs);
      waiting.add(resume);
      signal.addEventListener("abort", resume, { once: true });
    });

  async function perform(job: TakenJob, { handler, retries, ending }: Work): Promise<void> {
    const { id, kind, run, attempts } = job;
    const lost = new AbortController();
    const renewal = setInterval(() => {
      queue.renew(job, leaseMs).then(
        (isHeld) => isHeld || lost.abort(),
        (cause: unknown) => log.warn("job_lease", { id, kind, cause }),
      );
    }, leaseMs / 3);
    try {
      // each attempt before this one ended with its process
      if (attempts > MAX_ATTEMPTS) throw new Error("The process that did the job ended during each attempt");
      const signal = sharedSignal(AbortSignal.any([ending, lost.signal]));
      if (!(await handler(job, signal))) lost.abort();
    } catch (cause) {
      if (lost.signal.aborted) return;
      if (ending.aborted) return await queue.release(job);
      log.warn("job_failed", { id, kind, run, attempts, cause });
      const isFinal = !retries || attempts >= MAX_ATTEMPTS;
      if (!isFinal) await sleep(retryMs * 2 ** (attempts - 1), undefined, { signal: ending }).catch(() => {});
      const error = cause instanceof ToolError ? `${cause.code}: ${cause.message}` : String(cause);
      await queue.fail(job, error, { isFinal });
    } finally {
      clearInterval(renewal);
      if (lost.signal.aborted) log.warn("job_lost", { id, kind, run });
      notify();
    }
  }

  async function takeJobs(kind: string, concurrency: number, work: Work): Promise<void> {
    const { ending, pollMs } = work;
    const running = new Set<Promise<void>>();
    let isUnread = false;
    while (!ending.aborted) {
      const seen = changes;
      const job = await queue.take(kind, owner, leaseMs).then(
        (taken) => {
          isUnread = false;
          return taken;
        },
        (cause: unknown) => {
          if (!isUnread) log.warn("jobs_unread", { kind, cause });
          isUnread = true;
          return null;
        },
      );
      if (job === null) await change(seen, ending, pollMs);
      else {
        const performed = perform(job, work)
          .catch((cause: unknown) => log.warn("job_unstored", { id: job.id, kind, cause }))
          .finally(() => running.delete(performed));
        running.add(performed);
        if (running.size >= concurrency) await Promise.race(running);
      }
    }
    await Promise.all(running);
  }

  return {
    async replace(kind, run, payloads) {
      await queue.replace(kind, run, payloads);
      notify();
    },
    remove: queue.remove,
    list: queue.list,
    release: queue.release,
    async retry(id, after) {
      const isRetried = await queue.retry(id, after);
      if (isRetried) notify();
      return isRetried;
    },
    end: queue.end,
    work(kind, handler, { concurrency, retries = true, pollMs = POLL_MS }) {
      const ending = new AbortController();
      const signal = sharedSignal(ending.signal);
      const ended = takeJobs(kind, concurrency, { handler, retries, pollMs, ending: signal });
      return async () => {
        ending.abort();
        await ended;
      };
    },
    async settled(kind, run, { signal, onChange }) {
      for (let before = -1; ; ) {
        signal.throwIfAborted();
        const seen = changes;
        const jobs = await queue.list(kind, run);
        const ended = jobs.filter(({ state }) => state === "done" || state === "dead").length;
        if (ended !== before) onChange(jobs);
        before = ended;
        if (ended === jobs.length) return jobs;
        await change(seen, signal);
      }
    },
  };
}
