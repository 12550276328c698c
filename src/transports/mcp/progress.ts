import type { ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../../kernel/tool.ts";

const MIN_INTERVAL_MS = 100;

interface ProgressReporter {
  /** Sends the progress of the call. Does nothing if the client did not request progress. */
  report(step: Progress): void;
  /** Resolves when all reported steps have been sent. */
  flushed(): Promise<void>;
}

/**
 * Creates the progress reporter of one call. Sends increasing values, at most ten per second, and always the last step.
 */
export function createProgressReporter(
  { _meta, notify }: Pick<ServerContext["mcpReq"], "_meta" | "notify">,
  elapsed: () => number = () => performance.now(),
): ProgressReporter {
  const progressToken = _meta?.progressToken;
  let furthest = Number.NEGATIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  let sent = Promise.resolve();
  return {
    report({ done, total, message }) {
      if (progressToken === undefined || !(done > furthest)) return;
      const at = elapsed();
      if (at - lastAt < MIN_INTERVAL_MS && done !== total) return;
      [furthest, lastAt] = [done, at];
      const params = {
        progressToken,
        progress: done,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      // a disconnected client is reported by the signal of the call
      sent = sent.then(() => notify({ method: "notifications/progress", params })).catch(() => {});
    },
    flushed: () => sent,
  };
}
