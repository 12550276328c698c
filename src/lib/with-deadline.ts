/**
 * Runs `work` with a signal that aborts after `ms`, or when `signal` aborts. Uses setTimeout, because Node may
 * collect the signal of `AbortSignal.timeout` inside `AbortSignal.any` before it fires.
 * @see https://github.com/nodejs/node/issues/57736
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException("timed out", "TimeoutError")), ms);
  try {
    return await work(signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]));
  } finally {
    clearTimeout(timer);
  }
}
