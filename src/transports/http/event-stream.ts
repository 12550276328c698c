export const SSE_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no",
} as const;

export interface EventStreamOptions {
  /** Interval of keep-alive comments. Default: no keep-alive. */
  readonly keepAliveMs?: number;
  /** Maximum number of buffered bytes that the client has not read. */
  readonly bufferBytes: number;
  /** Called once when either side closes the stream. */
  readonly onClose: () => void;
}

/** The server side of an event stream. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Appends text. Throws if the stream is closed; closes it and throws if the buffer is full. */
  write(text: string): void;
  /** Resolves when the buffer has space or the stream is closed. */
  waitUntilWritable(): Promise<void>;
  close(): void;
}

/**
 * Creates an event stream as the body of a fetch response. It buffers at most `bufferBytes` and one event. The stream is
 * closed if its buffer stays full between two keep-alives. Closing clears all timers.
 */
export function eventStream({ keepAliveMs, bufferBytes, onClose }: EventStreamOptions): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let waiting: (() => void) | undefined;
  let stuck = false;
  const releaseWriter = () => {
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
      pull: releaseWriter, // the reader consumed data
      cancel: () => stream.close(), // the reader disconnected
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
      releaseWriter();
      onClose();
    },
  };
  return stream;
}

/** Formats one server-sent event; `data` is serialized as JSON. */
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
