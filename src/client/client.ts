import { createParser } from "eventsource-parser";
import { errorOf, MarketSignalError, parsedObject } from "./error.ts";
import { type PreparedRequest, requestOf } from "./request.ts";
import { ROUTES, STREAM_ROUTES, type Streams, type Tools } from "./tools.ts";

export { type FieldError, MarketSignalError } from "./error.ts";
export type { Streams, Tools } from "./tools.ts";

const DEFAULT_URL = "http://127.0.0.1:8787";

export type ToolName = keyof Tools & string;
export type ToolInput<Name extends ToolName> = Tools[Name]["input"];
export type ToolOutput<Name extends ToolName> = Tools[Name]["output"];
/** Tools whose changes can be followed. */
export type StreamName = keyof Streams & string;
export type StreamEvent<Name extends StreamName> = Streams[Name]["event"];

export interface ClientOptions {
  /** Base URL of the server. Default: http://127.0.0.1:8787. */
  readonly url?: string;
  /** API key; only open tools answer without one. */
  readonly key?: string;
  /** Function that sends the requests. Default: the global fetch. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface CallOptions {
  /** Cancels the call, on the server too. */
  readonly signal?: AbortSignal;
  /** Makes a repeated call return the answer of the first one, for 24 hours. */
  readonly idempotencyKey?: string;
}

export interface StreamOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** `id` of the last event received; a stream of changes resumes after it without loss. */
  readonly lastEventId?: string;
}

type InputOf<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

export interface Client {
  /** Calls a tool and returns its answer. @throws MarketSignalError if it fails, and what `signal` is aborted with */
  call<Name extends ToolName>(
    name: Name,
    ...rest: [...InputOf<ToolInput<Name>>, options?: CallOptions]
  ): Promise<ToolOutput<Name>>;
  /**
   * Yields the events of a stream as they arrive, until the server ends it, after an event `end`. It does not reconnect.
   * @throws MarketSignalError if it cannot be opened or breaks off
   */
  stream<Name extends StreamName>(
    name: Name,
    input: Streams[Name]["input"],
    options?: StreamOptions,
  ): AsyncGenerator<StreamEvent<Name>, void, undefined>;
}

/** Creates a client of one server. It opens no connection until a tool is called. */
export function createClient({ url = DEFAULT_URL, key, fetch: send = fetch }: ClientOptions = {}): Client {
  const base = url.replace(/\/+$/, "");

  async function request(
    { method, url: address, body }: PreparedRequest,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const response = await orUnreachable(base, signal, () =>
      send(address, {
        method,
        headers: {
          ...headers,
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      }),
    );
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  return {
    async call(name, ...rest) {
      const [input = {}, { signal, idempotencyKey } = {}] = rest as [object?, CallOptions?];
      const prepared = requestOf(base, routeOf(ROUTES, name), input);
      const headers = {
        accept: "application/json",
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      };
      const response = await request(prepared, headers, signal);
      const text = await orUnreachable(base, signal, () => response.text());
      const answer = parsedObject(text);
      if (answer === null) throw invalidResponse(response.status);
      return answer as ToolOutput<typeof name>;
    },
    async *stream(name, input, { signal, lastEventId } = {}) {
      const prepared = requestOf(base, routeOf(STREAM_ROUTES, name), input);
      const headers = {
        accept: "text/event-stream",
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      };
      const response = await request(prepared, headers, signal);
      for await (const event of eventsOf(base, signal, response)) {
        yield event as StreamEvent<typeof name>;
        if (event.event === "end") return;
      }
    },
  };
}

interface ReceivedEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

async function* eventsOf(
  base: string,
  signal: AbortSignal | undefined,
  response: Response,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  if (response.body === null) throw invalidResponse(response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let received: ReceivedEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = "message", id = null, data }) =>
      received.push({ event, id, data: parsedObject(data) ?? {} }),
  });
  try {
    for (;;) {
      const { done, value } = await orUnreachable(base, signal, () => reader.read());
      if (done) return;
      parser.feed(value);
      const events = received;
      received = [];
      yield* events;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function routeOf(routes: Readonly<Record<string, string>>, name: string): string {
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (route !== undefined) return route;
  throw new MarketSignalError(`There is no "${name.slice(0, 60)}" in this version of the client`, {
    code: "NOT_FOUND",
    hint: `It knows: ${Object.keys(routes).join(", ")}.`,
  });
}

/** Turns a failed connection into an error that names the server; the caller's own cancellation stays as it is. */
async function orUnreachable<T>(
  base: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    throw new MarketSignalError(`There is no connection to ${base}`, {
      code: "UNREACHABLE",
      hint: "Check that the server runs and that the URL is right.",
      retryable: true,
      cause,
    });
  }
}

const invalidResponse = (status: number): MarketSignalError =>
  new MarketSignalError("The response is not of a Market Signal server", {
    code: "INVALID_RESPONSE",
    status,
    hint: "Check the URL, and any proxy between this program and the server.",
  });
