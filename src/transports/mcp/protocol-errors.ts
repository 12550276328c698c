import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { ToolError } from "../../kernel/errors.ts";
import type { RuntimePorts } from "../../kernel/invoke.ts";
import { protocolError } from "./resources.ts";

/** Converts errors to protocol errors. Unexpected errors are logged and become -32603 without details. */
export async function withProtocolErrors<R>(
  { log }: RuntimePorts,
  method: string,
  work: () => R | Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ProtocolError) throw cause;
    if (cause instanceof ToolError && cause.code !== "INTERNAL") throw protocolError(cause);
    log.error("mcp", { method, cause });
    throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
  }
}

/** Refuses a page of a list that has only one. */
export const cursorError = (method: string) =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `This cursor is not from ${method}, which returns everything in one page. Call it without a cursor`,
  );

/** Refuses a log level that could not be stored. */
export const sessionError = () =>
  new ProtocolError(
    ProtocolErrorCode.InvalidRequest,
    "logging/setLevel needs the Mcp-Session-Id header that the response to initialize contains",
  );
