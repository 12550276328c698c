import type { Log } from "../../domain/ports.ts";

/** One tool call, without its caller and input. */
export interface ToolCallEvent {
  readonly tool: string;
  readonly transport: string;
  /** `OK` or the code of the failure. */
  readonly code: string;
  readonly ms: number | null;
}

/**
 * Wraps a log: forwards every entry and reports each `call` entry with the account of its caller. Each tool call logs
 * one, on any transport.
 */
export function observeToolCalls(
  log: Log,
  onCall: (call: ToolCallEvent, account: string | null) => void,
): Log {
  const listen = (event: string, { tool, transport, code, ms, account }: Record<string, unknown> = {}) => {
    if (
      event !== "call" ||
      typeof tool !== "string" ||
      typeof transport !== "string" ||
      typeof code !== "string"
    )
      return;
    onCall(
      { tool, transport, code, ms: typeof ms === "number" ? ms : null },
      typeof account === "string" ? account : null,
    );
  };
  return {
    info(event, fields) {
      listen(event, fields);
      log.info(event, fields);
    },
    warn: (event, fields) => log.warn(event, fields),
    error(event, fields) {
      listen(event, fields);
      log.error(event, fields);
    },
  };
}
