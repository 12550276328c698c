import { ToolError } from "../../kernel/errors.ts";

/** A response, or the reason why it is unavailable. */
export interface OptionalAnswer<T> {
  readonly answer: T | null;
  /** Reason why the provider is unavailable; null if it responded, even with an empty result. */
  readonly unavailableReason: string | null;
  readonly failure: ToolError | null;
}

/** Returns a provider's response, or its failure as a reason. Rejects with internal errors and cancellation. */
export async function optionalAnswer<T>(call: () => Promise<T | null>): Promise<OptionalAnswer<T>> {
  try {
    return { answer: await call(), unavailableReason: null, failure: null };
  } catch (cause) {
    if (cause instanceof ToolError && cause.code !== "INTERNAL" && cause.code !== "CANCELLED")
      return { answer: null, unavailableReason: cause.message, failure: cause };
    throw cause;
  }
}
