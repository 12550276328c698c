import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/server";
import { type EventStreamOptions, eventStream, SSE_HEADERS } from "../http/event-stream.ts";

export interface SseStreamOptions extends Omit<EventStreamOptions, "onClose"> {
  readonly id: string;
  /** URL to which the client posts its messages; sent in the first event. */
  readonly messageUrl: string;
  /** Time without a client message after which the stream is closed unless it is busy, in milliseconds. */
  readonly idleMs: number;
  /** Returns true while the client waits for updates. Default: never. */
  readonly busy?: () => boolean;
}

export interface SseStream extends Transport {
  readonly sessionId: string;
  readonly response: Response;
  /** Passes a posted message to the MCP server of the stream. */
  receive(message: JSONRPCMessage, extra: MessageExtraInfo): void;
}

/**
 * Creates the server side of an HTTP+SSE connection (MCP 2024-11-05) as a fetch response. The stream is closed if the
 * client leaves too many bytes unread. Closing it clears all timers.
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
