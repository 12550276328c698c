import type { Answers } from "../domain/ports.ts";
import { createSharedOutputs } from "../lib/shared-outputs.ts";

/** Maximum size of the kept answers, in characters of their JSON. */
const MAX_SIZE = 16 * 1024 * 1024;

/**
 * Creates the kept answers of tools. `stamp` returns a text that differs whenever the data behind an answer may have
 * changed: an answer is used only while the stamp is that of the time before its first read.
 */
export function createAnswers(stamp: () => string): Answers {
  const outputs = createSharedOutputs(MAX_SIZE);
  return {
    remember(key, compute) {
      const version = stamp();
      return outputs.remember(key, compute, { version, isCurrent: () => stamp() === version });
    },
  };
}
