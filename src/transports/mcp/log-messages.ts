import { LOG_LEVEL_META_KEY, type LoggingLevel, type ServerContext } from "@modelcontextprotocol/server";
import type { ErrorCode } from "../../kernel/errors.ts";

/** From least to most severe. */
const LEVELS: readonly LoggingLevel[] = [
  ...(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const),
];
/** Errors that are not the caller's. */
const SERVER_ERRORS: ReadonlySet<ErrorCode> = new Set(["INTERNAL", "STORAGE_FULL", "STORAGE_DAMAGED"]);

/** Log messages about one request for its client. */
export interface ClientLog {
  /** Sends a message unless the client wants only more severe ones, or none. */
  write(level: LoggingLevel, text: string): Promise<void>;
}

/** Creates the log of a request; `legacy` is the level of a client before 2026-07-28, which newer ones send along. */
export function createClientLog(
  { mcpReq: { envelope, notify } }: ServerContext,
  legacy: () => LoggingLevel | undefined,
): ClientLog {
  const least =
    envelope === undefined ? legacy() : (envelope as Readonly<Record<string, unknown>>)[LOG_LEVEL_META_KEY];
  return {
    async write(level, data) {
      if (least === undefined || LEVELS.indexOf(level) < LEVELS.indexOf(least as LoggingLevel)) return;
      // a disconnected client is reported by the signal of the call
      await notify({
        method: "notifications/message",
        params: { level, logger: "market-signal", data },
      }).catch(() => {});
    },
  };
}

/** Returns the level of the message about a failed call. */
export const levelOf = (code: ErrorCode): LoggingLevel => (SERVER_ERRORS.has(code) ? "error" : "warning");
