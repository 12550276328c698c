/** Options common to all external calls. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}
