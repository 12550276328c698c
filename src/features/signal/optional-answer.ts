import { ToolError } from "../../kernel/errors.ts";

/** An answer, or why there is none just now. */
export interface OptionalAnswer<T> {
  readonly answer: T | null;
  /** Why the provider is unavailable; null if it answered, even with an empty result. */
  readonly silence: string | null;
  /** The same as it would have been thrown. */
  readonly failure: ToolError | null;
}

/** Lets an answer do without a source that fails, and says so. A defect and a cancelled call reject. */
export async function optionalAnswer<T>(ask: () => Promise<T | null>): Promise<OptionalAnswer<T>> {
  try {
    return { answer: await ask(), silence: null, failure: null };
  } catch (cause) {
    if (cause instanceof ToolError && cause.code !== "INTERNAL" && cause.code !== "CANCELLED")
      return { answer: null, silence: cause.message, failure: cause };
    throw cause;
  }
}
