/** Headers of an answer that is a stream of events. */
export const SSE_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no",
} as const;

export interface EventStreamOptions {
  /** How often a comment tells proxies and readers that the stream lives; never when absent. */
  readonly keepAliveMs?: number;
  /** Bytes that a reader may leave unread. */
  readonly bufferBytes: number;
  /** Told once, whichever end closed it. */
  readonly onClose: () => void;
}

/** The server's side of a stream of events. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Adds to it. Throws where it is closed, and closes it where the reader has left too much unread. */
  write(text: string): void;
  /** Resolves once there is room to write, or the stream is closed. */
  waitUntilWritable(): Promise<void>;
  close(): void;
}

/**
 * A stream of events as the body of a fetch response, which keeps no more than the bound and one event. A reader that has read
 * nothing of a full one between two keep-alives is closed. Closing leaves no timer behind.
 */
export function eventStream({ keepAliveMs, bufferBytes, onClose: closed }: EventStreamOptions): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let waiting: (() => void) | undefined;
  let stuck = false;
  const letGo = () => {
    stuck = false;
    waiting?.();
    waiting = undefined;
  };
  const isFull = () => (controller?.desiredSize ?? 0) <= 0;
  const body = new ReadableStream<Uint8Array>(
    {
      start(made) {
        controller = made;
      },
      pull: letGo, // the reader has read
      cancel: () => stream.close(), // the reader has left
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }),
  );
  const comment = () => {
    if (!isFull()) controller?.enqueue(encoder.encode(": keep-alive\n\n"));
    else if (stuck) stream.close();
    else stuck = true;
  };
  const keepAlive = keepAliveMs === undefined ? undefined : setInterval(comment, keepAliveMs).unref();

  const stream: EventStream = {
    body,
    write(text) {
      if (controller === undefined) throw new Error("The stream is closed");
      if (isFull()) {
        stream.close();
        throw new Error("The reader is too slow");
      }
      controller.enqueue(encoder.encode(text));
    },
    waitUntilWritable: () =>
      controller === undefined || !isFull()
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting = resolve;
          }),
    close() {
      if (controller === undefined) return;
      const ended = controller;
      controller = undefined;
      clearInterval(keepAlive);
      try {
        ended.close();
      } catch {} // cancelled by the reader
      letGo();
      closed();
    },
  };
  return stream;
}

/** One event as it is written; `data` is a value of JSON. */
export const formatEvent = (
  event: string,
  data: unknown,
  { id = null, retryMs = null }: { readonly id?: string | null; readonly retryMs?: number | null } = {},
): string =>
  [
    ...(retryMs === null ? [] : [`retry: ${retryMs}`]),
    ...(id === null || /[\0\r\n]/.test(id) ? [] : [`id: ${id}`]),
    `event: ${event}`,
    `data: ${JSON.stringify(data)}`,
    "\n",
  ].join("\n");
