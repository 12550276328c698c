import { ToolError } from "../../kernel/errors.ts";

/**
 * Maximum number of concurrent requests, per host, per host of one account, per account and in total, and of waiting
 * requests per account.
 */
export interface RequestQueueLimits {
  readonly perHost: number;
  /** Per host of one account. */
  readonly perLane: number;
  readonly perAccount: number;
  readonly total: number;
  readonly waiting: number;
}

/** Receiver and sender of a request. */
export interface Lane {
  readonly host: string;
  readonly account: string;
}

/**
 * Runs work for a host and an account as soon as the limits permit. Rejects with the reason of the signal if it aborts
 * while the work waits.
 */
export type RequestQueue = <T>(
  lane: Lane,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * Creates a queue that runs work in order of arrival but skips hosts and accounts at their limit, so that receivers of
 * one account that do not respond delay no other account. Rejects with UPSTREAM_UNAVAILABLE if too many requests of the
 * account wait.
 */
export function createRequestQueue({
  perHost,
  perLane,
  perAccount,
  total,
  waiting,
}: RequestQueueLimits): RequestQueue {
  const running: Lane[] = [];
  const queue: { readonly lane: Lane; readonly go: () => void }[] = [];

  const isFree = ({ host, account }: Lane) =>
    running.length < total &&
    running.filter((one) => one.host === host).length < perHost &&
    running.filter((one) => one.host === host && one.account === account).length < perLane &&
    running.filter((one) => one.account === account).length < perAccount;
  const end = (lane: Lane) => {
    running.splice(running.indexOf(lane), 1);
    const at = queue.findIndex((entry) => isFree(entry.lane));
    const [next] = at === -1 ? [] : queue.splice(at, 1);
    if (next === undefined) return;
    running.push(next.lane);
    next.go();
  };

  const waitForTurn = (lane: Lane, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const cancel = () => {
        queue.splice(queue.indexOf(entry), 1);
        reject(signal?.reason);
      };
      const entry = {
        lane,
        go() {
          signal?.removeEventListener("abort", cancel);
          resolve();
        },
      };
      queue.push(entry);
      signal?.addEventListener("abort", cancel, { once: true });
    });

  return async ({ host, account }, signal, work) => {
    const lane = { host, account };
    signal?.throwIfAborted();
    if (isFree(lane)) running.push(lane);
    else if (queue.filter((entry) => entry.lane.account === account).length >= waiting)
      throw new ToolError("UPSTREAM_UNAVAILABLE", "Too many messages of this account are waiting to be sent");
    else await waitForTurn(lane, signal);
    try {
      return await work();
    } finally {
      end(lane);
    }
  };
}
