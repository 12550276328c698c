import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";

/** Keep-alive interval: a proxy may cut an idle stream after a minute. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Streams a generator as server-sent events; its first event has already been read. After a disconnect the generator is
 * still read to its end, because reading it also stores the task.
 */
export function eventStream<E>(
  events: AsyncGenerator<E, void, undefined>,
  first: IteratorResult<E, void>,
  errorBody: (thrown: unknown) => unknown,
  keepAliveMs = KEEP_ALIVE_MS,
): Response {
  const encoder = new TextEncoder();
  let disconnected = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (!disconnected) controller.enqueue(encoder.encode(text));
      };
      const keepAlive = setInterval(() => write(": keep-alive\n\n"), keepAliveMs);
      const pump = async () => {
        try {
          for (let step = first; step.done !== true; step = await events.next())
            write(formatSSEEvent(step.value));
        } catch (thrown) {
          write(formatSSEErrorEvent(errorBody(thrown)));
        } finally {
          clearInterval(keepAlive);
          if (!disconnected) controller.close();
        }
      };
      void pump();
    },
    cancel() {
      disconnected = true;
    },
  });
  return new Response(body, { headers: SSE_HEADERS });
}
