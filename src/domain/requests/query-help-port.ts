import type { QuestionIntent } from "./interpretation.ts";

/** A language model's interpretation of a question: an intent of the closed list, and possible names. Both are untrusted. */
export interface QueryHelpResult {
  readonly intent: QuestionIntent | null;
  readonly texts: readonly string[];
}

/** Language model for questions that the rules cannot interpret. Off unless the operator connects one. */
export interface QueryHelp {
  /** Sends only the question; rejects if the model fails or takes too long. Null if none is connected. */
  readonly read: ((query: string, signal: AbortSignal) => Promise<QueryHelpResult>) | null;
}
