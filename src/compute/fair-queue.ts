import { ToolError } from "../kernel/errors.ts";

export interface FairQueueLimits {
  /** Maximum number of running tasks, in all and of one account. */
  readonly inAll: number;
  readonly perAccount: number;
  /** Maximum number of waiting tasks of one account. */
  readonly waiting: number;
}

/** Seconds after which a refused caller may retry. */
const RETRY_AFTER_S = 2;

/** Runs work once its turn has come. */
export type FairQueue = <T>(
  account: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * Creates a queue in which accounts take turns: of waiting work, that of the account which has waited longest since its
 * last turn starts next. Rejects with RATE_LIMITED if too much work of the account waits, and with the abort reason of
 * the signal.
 */
export function createFairQueue({ inAll, perAccount, waiting: maxWaiting }: FairQueueLimits): FairQueue {
  const running = new Map<string, number>();
  /** Waiting work by account; the account whose turn is next comes first. */
  const waiting = new Map<string, Set<() => void>>();
  let total = 0;

  const isFree = (account: string) => total < inAll && (running.get(account) ?? 0) < perAccount;
  const begin = (account: string) => {
    total++;
    running.set(account, (running.get(account) ?? 0) + 1);
  };
  const leave = (account: string, start: () => void) => {
    const starts = waiting.get(account);
    starts?.delete(start);
    if (starts?.size === 0) waiting.delete(account);
  };
  const end = (account: string) => {
    total--;
    const left = running.get(account)! - 1;
    if (left === 0) running.delete(account);
    else running.set(account, left);
    for (const [next, starts] of waiting) {
      if (!isFree(next)) continue;
      const [start] = starts;
      // to the end of the order
      waiting.delete(next);
      waiting.set(next, starts);
      leave(next, start!);
      begin(next);
      start!();
      return;
    }
  };

  const takeTurn = (account: string, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const starts = waiting.get(account) ?? new Set();
      waiting.set(account, starts);
      const start = () => {
        signal?.removeEventListener("abort", cancel);
        resolve();
      };
      const cancel = () => {
        leave(account, start);
        reject(signal?.reason);
      };
      starts.add(start);
      signal?.addEventListener("abort", cancel, { once: true });
    });

  return async (account, signal, work) => {
    signal?.throwIfAborted();
    if (isFree(account)) begin(account);
    else if ((waiting.get(account)?.size ?? 0) >= maxWaiting)
      throw new ToolError("RATE_LIMITED", `${maxWaiting} computations of this account already wait`, {
        hint: `Wait for some calls to end, or retry in ${RETRY_AFTER_S} s.`,
        data: { limit: maxWaiting, retry_after: RETRY_AFTER_S },
      });
    else await takeTurn(account, signal);
    try {
      return await work();
    } finally {
      end(account);
    }
  };
}
