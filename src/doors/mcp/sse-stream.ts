import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/server";

export const SSE_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no",
} as const;

export interface SseStreamOptions {
  readonly id: string;
  /** Where the client posts its messages; told in the first event. */
  readonly messageUrl: string;
  readonly keepAliveMs: number;
  /** Closes after this long without a message from the client. */
  readonly idleMs: number;
  /** A reader that leaves more bytes than this unread is closed. */
  readonly bufferBytes: number;
}

export interface SseStream extends Transport {
  readonly sessionId: string;
  readonly response: Response;
  /** Hands a posted message to the server behind the stream. */
  receive(message: JSONRPCMessage, extra: MessageExtraInfo): void;
}

/**
 * The server's side of one HTTP+SSE connection (MCP 2024-11-05) as a fetch response. Closing it, from either end,
 * leaves no timer behind.
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export function sseStream(options: SseStreamOptions): SseStream {
  const { id, messageUrl, keepAliveMs, idleMs, bufferBytes } = options;
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(made) {
        controller = made;
      },
      cancel: () => stream.close(), // the client went away
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }),
  );
  const write = (text: string) => {
    if (controller === undefined) throw new Error("The stream is closed");
    if ((controller.desiredSize ?? 0) <= 0) {
      void stream.close();
      throw new Error("The reader is too slow");
    }
    controller.enqueue(encoder.encode(text));
  };
  const keepAlive = setInterval(() => {
    try {
      write(": keep-alive\n\n");
    } catch {} // the stream has just closed itself
  }, keepAliveMs).unref();
  const idle = setTimeout(() => void stream.close(), idleMs).unref();

  const stream: SseStream = {
    sessionId: id,
    response: new Response(body, { headers: SSE_HEADERS }),
    async start() {
      write(`event: endpoint\ndata: ${messageUrl}\n\n`);
    },
    async send(message) {
      write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    receive(message, extra) {
      idle.refresh();
      stream.onmessage?.(message, extra);
    },
    async close() {
      if (controller === undefined) return;
      const ended = controller;
      controller = undefined;
      clearInterval(keepAlive);
      clearTimeout(idle);
      try {
        ended.close();
      } catch {} // cancelled by the reader
      stream.onclose?.();
    },
  };
  return stream;
}
