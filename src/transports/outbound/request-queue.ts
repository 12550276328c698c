import { ToolError } from "../../kernel/errors.ts";

/** How much is sent at once, and how much may wait for it. */
export interface RequestQueueLimits {
  readonly perHost: number;
  readonly inAll: number;
  readonly waiting: number;
}

/** Runs a piece of work for a host when its turn comes. Rejects with what the signal is aborted with while it waits. */
export type RequestQueue = <T>(
  host: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
) => Promise<T>;

/** Turns in order of asking, except that a host with all its own in use lets others pass. UPSTREAM_UNAVAILABLE where too many wait. */
export function createRequestQueue({ perHost, inAll, waiting }: RequestQueueLimits): RequestQueue {
  const busy = new Map<string, number>();
  const queue: { readonly host: string; readonly go: () => void }[] = [];
  let all = 0;

  const isFree = (host: string) => all < inAll && (busy.get(host) ?? 0) < perHost;
  const begin = (host: string) => {
    all++;
    busy.set(host, (busy.get(host) ?? 0) + 1);
  };
  const end = (host: string) => {
    all--;
    const left = (busy.get(host) ?? 1) - 1;
    if (left === 0) busy.delete(host);
    else busy.set(host, left);
    const at = queue.findIndex((one) => isFree(one.host));
    const [next] = at === -1 ? [] : queue.splice(at, 1);
    if (next === undefined) return;
    begin(next.host);
    next.go();
  };

  const turn = (host: string, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(one), 1);
        reject(signal?.reason);
      };
      const one = {
        host,
        go() {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      queue.push(one);
      signal?.addEventListener("abort", leave, { once: true });
    });

  return async (host, signal, work) => {
    signal?.throwIfAborted();
    if (isFree(host)) begin(host);
    else if (queue.length >= waiting)
      throw new ToolError("UPSTREAM_UNAVAILABLE", "Too many messages wait to be sent");
    else await turn(host, signal);
    try {
      return await work();
    } finally {
      end(host);
    }
  };
}
