import type { ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../../kernel/tool.ts";
import type { ClientLog } from "./log-messages.ts";

const MIN_INTERVAL_MS = 100;

interface ProgressReporter {
  /** Sends the progress of the call if the client requested it, and its message to the client's log. */
  report(step: Progress): void;
  /** Resolves when all reported steps have been sent. */
  flushed(): Promise<void>;
}

/**
 * Creates the progress reporter of one call. Sends increasing values, at most ten per second, and always the last step.
 */
export function createProgressReporter(
  { _meta, notify }: Pick<ServerContext["mcpReq"], "_meta" | "notify">,
  {
    log,
    elapsed = () => performance.now(),
  }: { readonly log?: ClientLog; readonly elapsed?: () => number } = {},
): ProgressReporter {
  const progressToken = _meta?.progressToken;
  let furthest = Number.NEGATIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  let sent = Promise.resolve();
  return {
    report({ done, total, message }) {
      if (!(done > furthest)) return;
      const at = elapsed();
      if (at - lastAt < MIN_INTERVAL_MS && done !== total) return;
      [furthest, lastAt] = [done, at];
      if (log !== undefined && message !== undefined) sent = sent.then(() => log.write("debug", message));
      if (progressToken === undefined) return;
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
