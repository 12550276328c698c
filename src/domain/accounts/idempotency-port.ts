/** A response as it was sent to the caller. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or base64 for binary content. */
  readonly body: string;
}

export interface IdempotentCall {
  readonly account: string;
  /** Idempotency key chosen by the caller. */
  readonly key: string;
  readonly route: string;
  /** Input of the call; only a keyed hash is stored. */
  readonly input: unknown;
  /** Maximum run time, ms. After that another run may start. */
  readonly deadlineMs: number;
}

/** Exclusive permission to run a call now. */
export interface IdempotentRun {
  readonly state: "begun";
  /** Stores the response for repeated calls. */
  complete(response: StoredResponse): Promise<void>;
  /** Stores nothing: the next call with the key runs again. */
  release(): Promise<void>;
}

/** `begun`: run it; `done`: return the stored response; `running`: still running; `other`: the key belongs to another call. */
export type IdempotencyState =
  | IdempotentRun
  | { readonly state: "done"; readonly response: StoredResponse }
  | { readonly state: "running" }
  | { readonly state: "other" };

/** Runs each call once per account and key, across all processes. */
export interface Idempotency {
  begin(call: IdempotentCall): Promise<IdempotencyState>;
}
