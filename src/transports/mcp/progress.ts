import type { ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../../kernel/tool.ts";

const MIN_INTERVAL_MS = 100;

interface ProgressReporter {
  /** Tells the client how far the call has come; says nothing to a client that did not ask. */
  report(step: Progress): void;
  /** Resolves when everything reported has left. */
  flushed(): Promise<void>;
}

/** Progress notifications of one call: ever rising, ten a second at most, the last step always told. */
export function createProgressReporter(
  { _meta, notify }: Pick<ServerContext["mcpReq"], "_meta" | "notify">,
  elapsed: () => number = () => performance.now(),
): ProgressReporter {
  const progressToken = _meta?.progressToken;
  let furthest = Number.NEGATIVE_INFINITY;
  let toldAt = Number.NEGATIVE_INFINITY;
  let sent = Promise.resolve();
  return {
    report({ done, total, message }) {
      if (progressToken === undefined || !(done > furthest)) return;
      const at = elapsed();
      if (at - toldAt < MIN_INTERVAL_MS && done !== total) return;
      [furthest, toldAt] = [done, at];
      const params = {
        progressToken,
        progress: done,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      const told = () => notify({ method: "notifications/progress", params });
      sent = sent.then(told).catch(() => {}); // the client has gone: the call's own signal says so
    },
    flushed: () => sent,
  };
}
