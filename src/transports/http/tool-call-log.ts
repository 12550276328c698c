import type { Log } from "../../domain/ports.ts";

/** One run of a tool at some server, without who asked and for what. */
export interface ToolCallEvent {
  readonly tool: string;
  readonly transport: string;
  /** `OK` or the code of the failure. */
  readonly code: string;
  readonly ms: number | null;
}

/** A log that passes every line on and tells of the `call` lines, one per run of a tool whatever its door. */
export function observeToolCalls(log: Log, heard: (call: ToolCallEvent) => void): Log {
  const listen = (event: string, { tool, transport, code, ms }: Record<string, unknown> = {}) => {
    if (
      event !== "call" ||
      typeof tool !== "string" ||
      typeof transport !== "string" ||
      typeof code !== "string"
    )
      return;
    heard({ tool, transport, code, ms: typeof ms === "number" ? ms : null });
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
