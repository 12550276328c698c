import { pipeline, type Readable, type Writable } from "node:stream";
import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Principal } from "../../domain/accounts/access.ts";
import type { ToolFilter } from "../../kernel/registry.ts";
import { connectionToolsOf } from "./connection-tools.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { type McpServerDeps, mcpServer } from "./server.ts";
import { createSubscriptions } from "./subscribe.ts";
import { listeningTransport } from "./subscribe-stdio.ts";

export interface McpStdioOptions extends Pick<McpServerDeps, "registry" | "ports" | "version">, ToolFilter {
  /** Principal of all calls: the owner of this machine. */
  readonly principal: Principal;
  /** Default: the streams of the process. */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
}

const MAX_MESSAGE_BYTES = 1 << 20;
const rpcErrorOf = (code: number, message: string, id: string | number | null = null) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});
const TOO_LONG = rpcErrorOf(
  ProtocolErrorCode.InvalidRequest,
  `A message may have at most ${MAX_MESSAGE_BYTES} bytes`,
);
const NOT_JSON = rpcErrorOf(ProtocolErrorCode.ParseError, "A message must be one line of JSON");

/** Returns the error response to an invalid line; null for a valid message or a blank line. */
function messageErrorOf(line: string): object | null {
  if (line.trim() === "") return null;
  try {
    const { jsonrpc, id, method, result, error } = JSON.parse(line) ?? {};
    const isMessage = typeof method === "string" || result !== undefined || error !== undefined;
    if (jsonrpc === "2.0" && isMessage) return null;
    const requestId = typeof id === "string" || typeof id === "number" ? id : null;
    return rpcErrorOf(ProtocolErrorCode.InvalidRequest, "This is not a JSON-RPC 2.0 message", requestId);
  } catch {
    return NOT_JSON;
  }
}

/**
 * Serves all MCP revisions on standard input and output; writes only protocol messages. Resolves when the input ends,
 * after cancelling running calls. Responds with an error to an invalid message or one over 1 MiB. Rejects with
 * INVALID_INPUT for an unknown toolset.
 */
export async function serveMcpStdio(options: McpStdioOptions): Promise<void> {
  const { principal, stdin = process.stdin, stdout = process.stdout, toolsets, readonly = false } = options;
  const deps: McpServerDeps = {
    ...options,
    toolsFor: connectionToolsOf(options.registry),
    running: new Set(),
  };
  const tools = deps.toolsFor({ ...(toolsets && { toolsets }), readonly });
  const refuse = (fault: object) => {
    options.ports.log.warn("mcp", { refused: fault });
    stdout.write(`${JSON.stringify(fault)}\n`);
  };
  const lines = createLineSplitter(MAX_MESSAGE_BYTES, {
    onTooLong: () => refuse(TOO_LONG),
    accept(line) {
      const fault = messageErrorOf(line.toString("utf8"));
      if (fault !== null) refuse(fault);
      return fault === null;
    },
  });
  const pipe = new StdioServerTransport(lines, stdout, { maxBufferSize: MAX_MESSAGE_BYTES + 1 });
  const subscriptions = createSubscriptions({ ...options, tools });
  const transport = listeningTransport(pipe, subscriptions, principal);
  const resolveCaller = () => ({ principal });
  serveStdio(() => mcpServer(deps, { tools, transport: "stdio", subscriptions, resolveCaller }), {
    transport,
    onerror: ({ message }) => options.ports.log.info("mcp", { refused: message }),
  });
  pipeline(stdin, lines, () => {}); // an input error ends the lines, which closes the transport
  await new Promise<void>((resolve) => {
    const disconnect = transport.onclose;
    transport.onclose = () => {
      disconnect?.();
      resolve();
    };
  });
  for (const call of deps.running) call.abort();
}
