/** Runs the work when the signal is aborted, at once if it already is. */
export function onAbort(signal, work) {
  if (signal?.aborted) work();
  else signal?.addEventListener("abort", work);
}
