/** Returns the time that providers get by a clock, ms. */
export const timeFor = ({ timeScale = 1 }: { readonly timeScale?: number }, ms: number): number =>
  ms * timeScale;

/**
 * Runs `work` with a signal that aborts after `ms`, when the given signal aborts, or when `work` rejects. Uses
 * setTimeout, because Node may collect the signal of `AbortSignal.timeout` inside `AbortSignal.any` before it fires.
 * @see https://github.com/nodejs/node/issues/57736
 */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException("The operation timed out", "TimeoutError")),
    ms,
  );
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  try {
    return await work(controller.signal);
  } catch (cause) {
    controller.abort(cause); // ends parallel parts of the work that still run
    throw cause;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
