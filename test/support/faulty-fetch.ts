import type { Reply } from "../replay/vendor.ts";

/** Calls per request from which a request counts as endless. */
const MANY = 60;

/** Counts calls and aborts endless requests; see `count` and `endless`. */
export function countingFetch(
  fetch: typeof globalThis.fetch,
): typeof fetch & { count(): number; endless(): boolean } {
  let calls = 0;
  const counting: typeof fetch = async (input, init) => {
    calls += 1;
    if (calls > MANY) throw new Error("a question without end");
    return await fetch(input, init);
  };
  return Object.assign(counting, { count: () => calls, endless: () => calls > MANY });
}

/** Returns one response to every request. */
export const fetchAnswering =
  ({ status, headers, body }: Reply): typeof fetch =>
  async () =>
    new Response(body, { status, ...(headers && { headers }) });

/** Changes the text of the vendor's own responses; `call` counts from 0. */
export const rewritingFetch = (
  honest: typeof fetch,
  change: (text: string, call: number) => string,
): typeof fetch => {
  let calls = 0;
  return async (input, init) => {
    const answer = await honest(input, init);
    const call = calls++;
    return new Response(change(await answer.text(), call), {
      status: answer.status,
      headers: answer.headers,
    });
  };
};

/** Passes calls to the vendor, except one (counted from 0), which goes to `instead`. */
export const fetchFailingAt = (honest: typeof fetch, call: number, instead: typeof fetch): typeof fetch => {
  let calls = 0;
  return async (input, init) => await (calls++ === call ? instead : honest)(input, init);
};

/** Records the text of every response. */
export function recordingFetch(honest: typeof fetch, texts: string[]): typeof fetch {
  return rewritingFetch(honest, (text) => {
    texts.push(text);
    return text;
  });
}

/** Returns recorded texts in order. */
export function replayingFetch(texts: readonly string[]): typeof fetch {
  let calls = 0;
  return async () => new Response(texts[Math.min(calls++, texts.length - 1)] ?? "");
}

/** A fetch without a connection. */
export const unreachableFetch: typeof fetch = async () => {
  throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
};

/** A response that breaks off after a valid start. */
export const fetchCutOffAfter = (start: string): typeof fetch => {
  const parts = [new TextEncoder().encode(start)];
  return async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          const part = parts.shift();
          if (part === undefined) controller.error(new TypeError("terminated"));
          else controller.enqueue(part);
        },
      }),
    );
};

/** A provider that never starts or never finishes its response; `stopped`: the request was aborted. */
export function stalledFetch({
  begins,
}: {
  readonly begins: boolean;
}): typeof fetch & { stopped(): boolean } {
  let stopped = false;
  const fetch: typeof globalThis.fetch = (_, init) => {
    const signal = init?.signal;
    const onStop = (stop: (reason: unknown) => void) => {
      const abort = () => {
        stopped = true;
        stop(signal?.reason);
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    };
    if (!begins) return new Promise((_, reject) => onStop(reject));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("{"));
        onStop((reason) => controller.error(reason));
      },
    });
    return Promise.resolve(new Response(body));
  };
  return Object.assign(fetch, { stopped: () => stopped });
}

/** A response without end; `sent` counts its bytes, `cancelled` is true if the reader closed it. */
export function endlessFetch(): typeof fetch & { sent(): number; cancelled(): boolean } {
  const chunk = new TextEncoder().encode(`[${"1,".repeat(32_768)}`);
  let [sent, cancelled] = [0, false];
  const fetch: typeof globalThis.fetch = async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += chunk.byteLength;
          controller.enqueue(chunk);
        },
        cancel() {
          cancelled = true;
        },
      }),
      { headers: { "content-type": "application/json" } },
    );
  return Object.assign(fetch, { sent: () => sent, cancelled: () => cancelled });
}
