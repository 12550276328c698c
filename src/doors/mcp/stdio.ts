import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Principal } from "../../domain/access.ts";
import type { Shelf } from "../../kernel/registry.ts";
import { menus } from "./menu.ts";
import { type McpHouse, mcpServer } from "./server.ts";

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

/**
 * MCP on standard input and output, every revision; writes nothing but protocol. Resolves when the input ends,
 * after cancelling what still runs. An unknown toolset is INVALID_INPUT.
 */
export async function serveMcpStdio(options: McpStdioOptions): Promise<void> {
  const { principal, stdin = process.stdin, stdout = process.stdout, toolsets, readonly = false } = options;
  const house: McpHouse = { ...options, menu: menus(options.registry), running: new Set() };
  const menu = house.menu({ ...(toolsets && { toolsets }), readonly });
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  serveStdio(() => mcpServer(house, { menu, door: "stdio", caller: () => ({ principal }) }), {
    transport,
    onerror: ({ message }) => options.ports.log.info("mcp", { refused: message }),
  });
  await new Promise<void>((resolve) => {
    const disconnect = transport.onclose;
    transport.onclose = () => {
      disconnect?.();
      resolve();
    };
  });
  for (const call of house.running) call.abort();
}
