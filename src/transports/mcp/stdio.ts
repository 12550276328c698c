import { pipeline, type Readable, type Writable } from "node:stream";
import { type JSONRPCMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createAdmission } from "../../access/admission.ts";
import { MAX_MESSAGE_BYTES, readWithinBounds } from "../../access/message-size.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import type { ToolFilter } from "../../kernel/registry.ts";
import { parseMarked } from "../../lib/json-text.ts";
import { createLineSplitter } from "../line-splitter.ts";
import { createSettings } from "./client-settings.ts";
import { connectionToolsOf } from "./connection-tools.ts";
import { createDirectCalls } from "./direct.ts";
import { createDirectConnection } from "./direct-stdio.ts";
import { readMessages } from "./envelope.ts";
import { methodOf } from "./http-body.ts";
import { mcpServer } from "./server.ts";
import type { McpServerDeps } from "./server-deps.ts";
import { CANCELLED, isAnswer, requestIdOf } from "./session.ts";
import { createSubscriptions } from "./subscribe.ts";
import { listeningTransport } from "./subscribe-stdio.ts";

export interface McpStdioOptions extends Pick<McpServerDeps, "registry" | "ports" | "version">, ToolFilter {
  /** Principal of all calls: the owner of this machine. */
  readonly principal: Principal;
  /** Default: the streams of the process. */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
}

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

interface ParsedLine {
  readonly message: unknown;
  /** false: the message was normalised or marked, so the line must be written again. */
  readonly isVerbatim: boolean;
}

/** Parses a line as a message; returns the error response to an invalid one. */
function parseLine(line: Buffer): ParsedLine | { readonly fault: object } {
  try {
    let isMarked = false;
    const written = readWithinBounds(line, () => {
      const parsed = parseMarked(line.toString("utf8"));
      isMarked = parsed.isMarked;
      return parsed.value;
    });
    const message = readMessages(written) as any;
    const { jsonrpc, id, method, result, error } = message ?? {};
    const isMessage = typeof method === "string" || result !== undefined || error !== undefined;
    const requestId = requestIdOf(id);
    const isIdentified = id === undefined || requestId !== null;
    if (jsonrpc === "2.0" && isMessage && isIdentified)
      return { message, isVerbatim: message === written && !isMarked };
    return {
      fault: rpcErrorOf(ProtocolErrorCode.InvalidRequest, "This is not a JSON-RPC 2.0 message", requestId),
    };
  } catch (cause) {
    if (!(cause instanceof ToolError)) return { fault: NOT_JSON };
    return { fault: rpcErrorOf(ProtocolErrorCode.InvalidRequest, cause.message) };
  }
}

/** Transport of the SDK that reports every sent message. */
class ObservedTransport extends StdioServerTransport {
  onsend: (message: JSONRPCMessage) => void = () => {};

  override send(message: JSONRPCMessage): Promise<void> {
    this.onsend(message);
    return super.send(message);
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
  const settings = createSettings();
  const admit = createAdmission(options.ports.meters);
  // every line is admitted before it is handled
  const caller = { principal, admitted: { account: principal.account } };
  const direct = createDirectConnection({
    direct: createDirectCalls(deps),
    tools,
    caller,
    settings,
    write: (json) => stdout.write(`${json}\n`),
  });
  const lines = createLineSplitter(MAX_MESSAGE_BYTES, {
    onTooLong() {
      admit({ from: principal }).then(
        () => refuse(TOO_LONG),
        () => refuse(TOO_LONG),
      );
    },
    async accept(line) {
      if (line.toString("utf8").trim() === "") return line;
      const refusal = await admit({ from: principal }).then(() => null, asToolError);
      const parsed = parseLine(line);
      if ("fault" in parsed) {
        refuse(parsed.fault);
        return null;
      }
      const { message, isVerbatim } = parsed;
      // what ends a call or a question is never refused
      if (refusal !== null && !isAnswer(message) && methodOf(message) !== CANCELLED) {
        direct.refuse(message, refusal);
        return null;
      }
      if (direct.accept(message)) return null;
      return isVerbatim ? line : Buffer.from(`${JSON.stringify(message)}\n`);
    },
  });
  const pipe = new ObservedTransport(lines, stdout, { maxBufferSize: MAX_MESSAGE_BYTES + 1 });
  pipe.onsend = direct.observeSent;
  const subscriptions = createSubscriptions({ ...options, tools });
  const transport = listeningTransport(pipe, subscriptions, principal);
  const resolveCaller = () => caller;
  const settingsOf = () => settings;
  const session = { tools, transport: "stdio", subscriptions, resolveCaller, settingsOf } as const;
  serveStdio(({ era }) => mcpServer(deps, { ...session, listChanges: era === "legacy" }), {
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
  direct.close();
  for (const call of deps.running) call.abort();
}
