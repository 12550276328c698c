import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";

/** One part of an answer of many parts; the reason is null if it is there. */
export type OptionalPart<T> =
  | { readonly value: T; readonly reason: null }
  | { readonly value: null; readonly reason: string };

/** Returns a part that is missing for a reason. */
export const missingPart = (reason: string): OptionalPart<never> => ({ value: null, reason });

/**
 * Returns a part of an answer, or the reason why it is missing: it is unavailable, takes longer than `ms`, or failed.
 * Logs an internal failure. Rejects only with the abort reason of the caller's signal.
 */
export async function optionalPart<T>(
  name: string,
  { ms, signal, log }: { readonly ms: number; readonly signal: AbortSignal } & Pick<Ports, "log">,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<OptionalPart<T>> {
  try {
    return { value: await withTimeLimit(ms, signal, (limited) => read(limited)), reason: null };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ToolError && cause.code !== "INTERNAL") return missingPart(cause.message);
    if (cause instanceof DOMException) return missingPart("No response in time: a retry may succeed");
    log.error("part_failed", { part: name, cause });
    return missingPart("It failed; the log of the server has the cause");
  }
}
