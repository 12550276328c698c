import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";

/** A proxy may cut a silent stream after a minute. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Server-sent events of a generator whose first step was taken already. Who leaves early does not stop the work: the
 * generator is read to its end, because reading it is what writes the task down.
 */
export function eventStream<E>(
  events: AsyncGenerator<E, void, undefined>,
  first: IteratorResult<E, void>,
  broken: (thrown: unknown) => unknown,
  keepAliveMs = KEEP_ALIVE_MS,
): Response {
  const encoder = new TextEncoder();
  let left = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (!left) controller.enqueue(encoder.encode(text));
      };
      const beat = setInterval(() => write(": keep-alive\n\n"), keepAliveMs);
      const pump = async () => {
        try {
          for (let step = first; step.done !== true; step = await events.next())
            write(formatSSEEvent(step.value));
        } catch (thrown) {
          write(formatSSEErrorEvent(broken(thrown)));
        } finally {
          clearInterval(beat);
          if (!left) controller.close();
        }
      };
      void pump();
    },
    cancel() {
      left = true;
    },
  });
  return new Response(body, { headers: SSE_HEADERS });
}
