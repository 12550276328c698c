import type { Intent } from "./interpretation.ts";

/** A language model's interpretation of a question: an intent of the closed list, and possible names. Both are untrusted. */
export interface QueryHelpResult {
  readonly intent: Intent | null;
  readonly texts: readonly string[];
}

/** A language model that reads what the rules do not. Off unless the operator connects one. */
export interface QueryHelp {
  /** Shows it the question and nothing else; rejects where it fails or takes too long. Null where none is connected. */
  readonly read: ((query: string, signal: AbortSignal) => Promise<QueryHelpResult>) | null;
}
