import { ToolError } from "../../kernel/errors.ts";

/** A response, or the reason why it is unavailable. */
export interface OptionalAnswer<T> {
  readonly answer: T | null;
  /** Why the provider is unavailable; null if it answered, even with an empty result. */
  readonly unavailableReason: string | null;
  /** The error behind the reason. */
  readonly failure: ToolError | null;
}

/** Converts the failure of a provider into a reason. Rejects for defects and cancelled calls. */
export async function optionalAnswer<T>(call: () => Promise<T | null>): Promise<OptionalAnswer<T>> {
  try {
    return { answer: await call(), unavailableReason: null, failure: null };
  } catch (cause) {
    if (cause instanceof ToolError && cause.code !== "INTERNAL" && cause.code !== "CANCELLED")
      return { answer: null, unavailableReason: cause.message, failure: cause };
    throw cause;
  }
}
