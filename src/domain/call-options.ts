/** Options of every call to the outside world. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}
