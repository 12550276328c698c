/** An answer as its caller saw it. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes that are no text are base64. */
  readonly body: string;
}

/** A call that may be sent again. */
export interface IdempotentCall {
  readonly account: string;
  /** The caller's own name for it. */
  readonly key: string;
  /** What is called. */
  readonly route: string;
  /** What it is called with; kept as a keyed hash alone. */
  readonly input: unknown;
  /** How long it may take, in ms: after that whoever runs it is dead. */
  readonly deadlineMs: number;
}

/** A call that is to be run now, by nobody else. */
export interface IdempotentRun {
  readonly state: "begun";
  /** Keeps the answer for whoever asks again. */
  complete(answer: StoredResponse): Promise<void>;
  /** Nothing is kept: the next to ask runs it. */
  release(): Promise<void>;
}

/** What is to be done with a call: run it, tell its answer again, wait, or refuse it as another call of that key. */
export type IdempotencyState =
  | IdempotentRun
  | { readonly state: "done"; readonly answer: StoredResponse }
  | { readonly state: "running" }
  | { readonly state: "other" };

/** Calls that change something, each run once for its account and key, over all processes. */
export interface Idempotency {
  begin(call: IdempotentCall): Promise<IdempotencyState>;
}
