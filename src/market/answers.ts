import type { Answers } from "../domain/ports.ts";
import { createOutputCache } from "../lib/output-cache.ts";

/**
 * Creates the cache of tool answers. `stamp` returns a text that changes whenever the data behind an answer may have
 * changed: a cached answer is returned only while the stamp is the same as when its computation began.
 */
export function createAnswers(stamp: () => string): Answers {
  const outputs = createOutputCache("answers");
  return {
    remember(key, compute) {
      const version = stamp();
      return outputs.remember(key, compute, { version, isCurrent: () => stamp() === version });
    },
  };
}
