import { ToolError } from "../../kernel/errors.ts";

/** Maximum number of concurrent requests, per host and in total, and of waiting requests. */
export interface RequestQueueLimits {
  readonly perHost: number;
  readonly inAll: number;
  readonly waiting: number;
}

/**
 * Runs work for a host as soon as the limits permit. Rejects with the reason of the signal if it aborts while the work
 * waits.
 */
export type RequestQueue = <T>(
  host: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * Creates a queue that runs work in order of arrival but skips hosts at their limit. Rejects with UPSTREAM_UNAVAILABLE
 * if too many requests wait.
 */
export function createRequestQueue({ perHost, inAll, waiting }: RequestQueueLimits): RequestQueue {
  const busy = new Map<string, number>();
  const queue: { readonly host: string; readonly go: () => void }[] = [];
  let running = 0;

  const isFree = (host: string) => running < inAll && (busy.get(host) ?? 0) < perHost;
  const begin = (host: string) => {
    running++;
    busy.set(host, (busy.get(host) ?? 0) + 1);
  };
  const end = (host: string) => {
    running--;
    const remaining = (busy.get(host) ?? 1) - 1;
    if (remaining === 0) busy.delete(host);
    else busy.set(host, remaining);
    const at = queue.findIndex(({ host: waitingHost }) => isFree(waitingHost));
    const [next] = at === -1 ? [] : queue.splice(at, 1);
    if (next === undefined) return;
    begin(next.host);
    next.go();
  };

  const waitForTurn = (host: string, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const cancel = () => {
        queue.splice(queue.indexOf(entry), 1);
        reject(signal?.reason);
      };
      const entry = {
        host,
        go() {
          signal?.removeEventListener("abort", cancel);
          resolve();
        },
      };
      queue.push(entry);
      signal?.addEventListener("abort", cancel, { once: true });
    });

  return async (host, signal, work) => {
    signal?.throwIfAborted();
    if (isFree(host)) begin(host);
    else if (queue.length >= waiting)
      throw new ToolError("UPSTREAM_UNAVAILABLE", "Too many messages are waiting to be sent");
    else await waitForTurn(host, signal);
    try {
      return await work();
    } finally {
      end(host);
    }
  };
}
