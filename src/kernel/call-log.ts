import type { Principal } from "../domain/accounts/access.ts";
import { appOf } from "../domain/accounts/access.ts";
import type { Ports } from "../domain/ports.ts";
import type { TraceContext } from "../domain/trace.ts";
import type { Tool } from "./tool.ts";

interface LoggedCall {
  readonly ports: Pick<Ports, "clock" | "log"> & Partial<Pick<Ports, "usage">>;
  readonly principal: Principal;
  readonly transport: string;
  readonly nested?: boolean;
  readonly trace?: TraceContext | undefined;
}

/**
 * Begins a call and returns a function that logs and counts its end, given `OK` or an error code. Reads of agents are not
 * logged.
 */
export function beginCall(tool: Tool, call: LoggedCall, requestId: string) {
  const { principal, ports, transport, nested = false, trace } = call;
  const started = ports.clock.now().getTime();
  return (code: string, characters: number, cause?: object): void => {
    const { account, keyId: key = null } = principal;
    if (!nested) ports.usage?.count({ account, key, tool: tool.name, failed: code !== "OK", characters });
    if (nested && tool.effect === "read") return;
    const ms = ports.clock.now().getTime() - started;
    const app = appOf(key);
    ports.log[code === "INTERNAL" ? "error" : "info"]("call", {
      tool: tool.name,
      transport,
      account,
      ...(app !== null && { app }),
      request_id: requestId,
      ...(trace && { trace_id: trace.traceId, span_id: trace.spanId }),
      code,
      ms,
      ...cause,
    });
  };
}
