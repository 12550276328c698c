import { ToolError } from "../kernel/errors.ts";

export interface FairQueueLimits {
  /** Maximum number of running tasks in total. */
  readonly total: number;
  /** Maximum number of running tasks of one account. */
  readonly perAccount: number;
  /** Maximum number of waiting tasks of one account. */
  readonly waitingPerAccount: number;
}

/** Seconds after which a refused caller may retry. */
const RETRY_AFTER_S = 2;

/** Runs work as soon as the limits of the queue allow it, and resolves to its result. */
export interface FairQueue {
  <T>(account: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  /** Returns the number of works that wait. */
  waiting(): number;
}

/**
 * Creates a round-robin queue: when work ends, the next to start is that of the waiting account whose last start was
 * longest ago. Rejects with RATE_LIMITED if too much work of the account waits, and with the abort reason of the signal.
 */
export function createFairQueue({ total, perAccount, waitingPerAccount }: FairQueueLimits): FairQueue {
  const running = new Map<string, number>();
  /** Start functions of waiting work by account, in round-robin order. */
  const waiting = new Map<string, Set<() => void>>();
  let runningTotal = 0;

  const canStart = (account: string) => runningTotal < total && (running.get(account) ?? 0) < perAccount;
  const begin = (account: string) => {
    runningTotal++;
    running.set(account, (running.get(account) ?? 0) + 1);
  };
  const removeWaiting = (account: string, start: () => void) => {
    const starts = waiting.get(account);
    starts?.delete(start);
    if (starts?.size === 0) waiting.delete(account);
  };
  const end = (account: string) => {
    runningTotal--;
    const left = running.get(account)! - 1;
    if (left === 0) running.delete(account);
    else running.set(account, left);
    for (const [next, starts] of waiting) {
      if (!canStart(next)) continue;
      const [start] = starts;
      // move the account to the end
      waiting.delete(next);
      waiting.set(next, starts);
      removeWaiting(next, start!);
      begin(next);
      start!();
      return;
    }
  };

  const waitForStart = (account: string, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const starts = waiting.get(account) ?? new Set();
      waiting.set(account, starts);
      const start = () => {
        signal?.removeEventListener("abort", cancel);
        resolve();
      };
      const cancel = () => {
        removeWaiting(account, start);
        reject(signal?.reason);
      };
      starts.add(start);
      signal?.addEventListener("abort", cancel, { once: true });
    });

  const run = async <T>(
    account: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    signal?.throwIfAborted();
    if (canStart(account)) begin(account);
    else if ((waiting.get(account)?.size ?? 0) >= waitingPerAccount)
      throw new ToolError("RATE_LIMITED", `${waitingPerAccount} computations of this account already wait`, {
        hint: `Wait for some calls to end, or retry in ${RETRY_AFTER_S} s.`,
        data: { limit: waitingPerAccount, retry_after: RETRY_AFTER_S },
      });
    else await waitForStart(account, signal);
    try {
      return await work();
    } finally {
      end(account);
    }
  };
  return Object.assign(run, {
    waiting: () => [...waiting.values()].reduce((sum, { size }) => sum + size, 0),
  });
}
