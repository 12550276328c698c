import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { ToolFilter } from "../../../src/kernel/registry.ts";
import { serveMcpStdio } from "../../../src/transports/mcp/stdio.ts";
import { pro } from "../../support/context.ts";
import { toolFixture, until } from "./fixture.ts";

export const owner = { ...pro, account: "owner", plan: "enterprise" } as const;

/** A server on two pipes, the client's transport over them, and all lines it wrote. */
export function piped(shelf: ToolFilter = {}, made = toolFixture()) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveMcpStdio({ ...made, ...shelf, version: "9.9.9", principal: owner, stdin, stdout });
  const lines: string[] = [];
  const transport: Transport = {
    async start() {
      createInterface({ input: stdout }).on("line", (line) => {
        lines.push(line);
        transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      });
    },
    async send(message) {
      if (!stdin.write(`${JSON.stringify(message)}\n`)) await once(stdin, "drain");
    },
    async close() {
      stdin.end();
      transport.onclose?.();
    },
  };
  /** Sends a raw message without a client library and returns the response. */
  const ask = async (message: object | string) => {
    const count = lines.length;
    stdin.write(
      `${typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message })}\n`,
    );
    await until(() => lines.length > count);
    return JSON.parse(lines[count]!);
  };
  return { ...made, served, lines, transport, stdin, ask };
}
