import { pipeline, type Readable, type Writable } from "node:stream";
import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Principal } from "../../domain/access.ts";
import type { Shelf } from "../../kernel/registry.ts";
import { menus } from "./menu.ts";
import { type McpHouse, mcpServer } from "./server.ts";
import { wholeLines } from "./whole-lines.ts";

export interface McpStdioOptions
  extends Pick<McpHouse, "registry" | "ports" | "version" | "instructions">,
    Shelf {
  /** The owner of this machine, whose account answers for every call. */
  readonly principal: Principal;
  /** The process's own streams when absent. */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
}

const MAX_MESSAGE_BYTES = 1 << 20;
/** Carries no id: that lay in what was dropped. */
const TOO_LONG = {
  jsonrpc: "2.0",
  id: null,
  error: {
    code: ProtocolErrorCode.InvalidRequest,
    message: `A message may have at most ${MAX_MESSAGE_BYTES} bytes`,
  },
};

/**
 * MCP on standard input and output, every revision; writes nothing but protocol. Resolves when the input ends,
 * after cancelling what still runs. A message over 1 MiB is answered with an error and dropped. An unknown toolset
 * is INVALID_INPUT.
 */
export async function serveMcpStdio(options: McpStdioOptions): Promise<void> {
  const { principal, stdin = process.stdin, stdout = process.stdout, toolsets, readonly = false } = options;
  const house: McpHouse = { ...options, menu: menus(options.registry), running: new Set() };
  const menu = house.menu({ ...(toolsets && { toolsets }), readonly });
  const lines = wholeLines(MAX_MESSAGE_BYTES, () => {
    options.ports.log.warn("mcp", { refused: "a message over the limit", limit_bytes: MAX_MESSAGE_BYTES });
    stdout.write(`${JSON.stringify(TOO_LONG)}\n`);
  });
  const transport = new StdioServerTransport(lines, stdout, { maxBufferSize: MAX_MESSAGE_BYTES + 1 });
  serveStdio(() => mcpServer(house, { menu, door: "stdio", caller: () => ({ principal }) }), {
    transport,
    onerror: ({ message }) => options.ports.log.info("mcp", { refused: message }),
  });
  pipeline(stdin, lines, () => {}); // an input that breaks off ends the lines, and they the transport
  await new Promise<void>((resolve) => {
    const disconnect = transport.onclose;
    transport.onclose = () => {
      disconnect?.();
      resolve();
    };
  });
  for (const call of house.running) call.abort();
}
