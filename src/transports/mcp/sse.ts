import { type MessageExtraInfo, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { noPeers, type Peers } from "../../domain/peers-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { createStreamRegistry, type OpenStream, type StreamLimits } from "../http/stream-registry.ts";
import { type SseStream, type SseStreamOptions, sseStream } from "./sse-stream.ts";

export interface SseLimits extends Omit<SseStreamOptions, "id" | "messageUrl" | "busy">, StreamLimits {
  readonly keepAliveMs: number;
}

export const SSE_LIMITS: SseLimits = {
  keepAliveMs: 15_000,
  idleMs: 30 * 60_000,
  bufferBytes: 1 << 20,
  maxStreams: 100,
  maxPerAccount: 10,
  recheckMs: 500,
};

interface SseStreamRequest extends Omit<OpenStream, "close"> {
  readonly messageUrl: string;
  /** Returns true while the client waits for updates. */
  busy(): boolean;
  /** Connects an MCP server to the stream. */
  serve(stream: SseStream): Promise<void>;
}

interface PostedMessage {
  /** Id of the stream. */
  readonly id: string;
  readonly body: unknown;
  readonly account: string;
  readonly extra: MessageExtraInfo;
}

interface SseStreams {
  /**
   * Opens a stream and returns its response. Rejects with RATE_LIMITED if the account or the server has too many
   * streams.
   */
  open(request: SseStreamRequest): Promise<Response>;
  /**
   * Delivers a posted message, also to a stream of another process. Rejects with NOT_FOUND unless this account opened the
   * stream, INVALID_INPUT unless the message is JSON-RPC.
   */
  post(message: PostedMessage): Promise<void>;
  count(): number;
  close(): Promise<void>;
}

/** Manages the open HTTP+SSE streams of a process, limited in number and bound to the account that opened them. */
export function createSseStreams(limits: SseLimits = SSE_LIMITS, peers: Peers = noPeers): SseStreams {
  const open = createStreamRegistry<OpenStream & { readonly stream: SseStream }>(
    limits,
    "use the streamable HTTP endpoint, which needs no open stream",
  );
  /** Delivers a message to a stream of this process; returns false if it is not open here. */
  function deliver({ id, body, account, extra }: PostedMessage): boolean {
    const found = open.find(id);
    if (found?.account !== account) return false;
    found.stream.receive(messageOf(body), extra);
    return true;
  }
  peers.onRequest("sse_message", (message: PostedMessage) => deliver(message) || null);
  return {
    async open({ messageUrl, busy, serve, ...request }) {
      const { id } = request;
      const stream = sseStream({ ...limits, id, messageUrl, busy });
      stream.onclose = () => open.remove(id);
      try {
        open.add({ ...request, stream, close: () => stream.close() });
        await serve(stream);
      } catch (cause) {
        await stream.close();
        throw cause;
      }
      return stream.response;
    },
    async post(message) {
      messageOf(message.body);
      if (deliver(message)) return;
      const delivered = await peers.request("sse_message", message);
      if (delivered.length === 0)
        throw new ToolError("NOT_FOUND", "This account has no open stream with this id", {
          hint: "Open the event stream again; its first event contains the new message URL.",
        });
    },
    count: open.count,
    close: open.close,
  };
}

function messageOf(body: unknown) {
  try {
    return parseJSONRPCMessage(body);
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", "The body is not one JSON-RPC 2.0 message", { cause });
  }
}
