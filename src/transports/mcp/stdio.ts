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
  /** The owner of this machine, whose account answers for every call. */
  readonly principal: Principal;
  /** The process's own streams when absent. */
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
const NOT_JSON = rpcErrorOf(ProtocolErrorCode.ParseError, "A message is one line of JSON");

/** What to answer to a line that is no JSON-RPC message; null where it is one, or blank. */
function messageErrorOf(line: string): object | null {
  if (line.trim() === "") return null;
  try {
    const { jsonrpc, id, method, result, error } = JSON.parse(line) ?? {};
    const known = typeof method === "string" || result !== undefined || error !== undefined;
    if (jsonrpc === "2.0" && known) return null;
    const asked = typeof id === "string" || typeof id === "number" ? id : null;
    return rpcErrorOf(ProtocolErrorCode.InvalidRequest, "This is not a JSON-RPC 2.0 message", asked);
  } catch {
    return NOT_JSON;
  }
}

/**
 * MCP on standard input and output, every revision; writes nothing but protocol. Resolves when the input ends,
 * after cancelling what still runs. A message over 1 MiB, or none at all, is answered with an error and dropped. An unknown toolset
 * is INVALID_INPUT.
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
  const subscribed = createSubscriptions({ ...options, tools });
  const transport = listeningTransport(pipe, subscribed, principal);
  const caller = () => ({ principal });
  serveStdio(
    () => mcpServer(deps, { tools, transport: "stdio", subscriptions: subscribed, resolveCaller: caller }),
    {
      transport,
      onerror: ({ message }) => options.ports.log.info("mcp", { refused: message }),
    },
  );
  pipeline(stdin, lines, () => {}); // an input that breaks off ends the lines, and they the transport
  await new Promise<void>((resolve) => {
    const disconnect = transport.onclose;
    transport.onclose = () => {
      disconnect?.();
      resolve();
    };
  });
  for (const call of deps.running) call.abort();
}
