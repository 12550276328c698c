import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/server";
import { type EventStreamOptions, eventStream, SSE_HEADERS } from "../http/event-stream.ts";

export interface SseStreamOptions extends Omit<EventStreamOptions, "onClose"> {
  readonly id: string;
  /** Where the client posts its messages; told in the first event. */
  readonly messageUrl: string;
  /** Closes after this long without a message from the client, unless it waits for something. */
  readonly idleMs: number;
  readonly busy?: () => boolean;
}

export interface SseStream extends Transport {
  readonly sessionId: string;
  readonly response: Response;
  /** Hands a posted message to the server behind the stream. */
  receive(message: JSONRPCMessage, extra: MessageExtraInfo): void;
}

/**
 * The server's side of one HTTP+SSE connection (MCP 2024-11-05) as a fetch response. A reader that leaves more bytes unread than
 * allowed is closed. Closing it, from either end, leaves no timer behind.
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export function sseStream({ id, messageUrl, idleMs, busy, ...options }: SseStreamOptions): SseStream {
  const events = eventStream({
    ...options,
    onClose() {
      clearTimeout(idle);
      stream.onclose?.();
    },
  });
  const idle = setTimeout(() => {
    if (busy?.()) idle.refresh();
    else events.close();
  }, idleMs).unref();

  const stream: SseStream = {
    sessionId: id,
    response: new Response(events.body, { headers: SSE_HEADERS }),
    async start() {
      events.write(`event: endpoint\ndata: ${messageUrl}\n\n`);
    },
    async send(message) {
      events.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    receive(message, extra) {
      idle.refresh();
      stream.onmessage?.(message, extra);
    },
    async close() {
      events.close();
    },
  };
  return stream;
}
