import type { AuthInfo, createMcpHandler, ServerEvent } from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/accounts/access.ts";
import { asToolError, type ToolError } from "../../kernel/errors.ts";
import { eventStream } from "../http/event-stream.ts";
import type { OpenStream, StreamRegistry } from "../http/stream-registry.ts";
import { protocolError } from "./resources.ts";
import type { Subscriptions } from "./subscribe.ts";

/** The request by which a client of 2026-07-28 asks to be told of changes, as long as it reads the answer. */
export const LISTEN_METHOD = "subscriptions/listen";

type Bus = NonNullable<NonNullable<Parameters<typeof createMcpHandler>[1]>["bus"]>;
type Handler = Pick<ReturnType<typeof createMcpHandler>, "fetch" | "close">;

export interface ListenDeps {
  readonly id: string;
  readonly principal: Principal;
  /** The caller as it stands now. Rejects once its key may no longer. */
  reauthenticate(): Promise<Principal>;
  readonly streams: StreamRegistry<OpenStream>;
  readonly subscriptions: Subscriptions;
  /** A handler of the protocol whose one stream hears of changes by this bus. */
  handler(bus: Bus): Handler;
  readonly bufferBytes: number;
}

/** The addresses in a request to listen; empty where it names none or is none. */
export function requestedUris(message: unknown): readonly string[] {
  const { params } = (message ?? {}) as {
    params?: { notifications?: { resourceSubscriptions?: unknown } };
  };
  const uris = params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

/**
 * Answers a request to listen with a stream that ends with its reader, its key or the server. A resource that is refused is an
 * error of the protocol; rejects with RATE_LIMITED where too many streams are open.
 */
export async function serveListen(
  request: Request,
  { authInfo, parsedBody }: { readonly authInfo: AuthInfo; readonly parsedBody: unknown },
  {
    id,
    principal,
    reauthenticate: again,
    streams: open,
    subscriptions,
    handler: handlerOf,
    bufferBytes,
  }: ListenDeps,
): Promise<Response> {
  let heard: ((event: ServerEvent) => void) | null = null;
  const leave = () => {
    heard = null;
    subscriptions.clear();
    open.remove(id);
  };
  const handler = handlerOf({
    publish: () => {}, // whoever publishes here tells by `heard`
    subscribe(listener) {
      heard = listener;
      return leave;
    },
  });
  subscriptions.setSender(async ({ uri, _meta }) =>
    heard?.({ kind: "resource_updated", uri, params: { _meta } }),
  );
  open.add({
    id,
    account: principal.account,
    async recheck() {
      subscriptions.recheck(await again());
    },
    close: () => handler.close(),
  });
  try {
    await subscriptions.add(requestedUris(parsedBody), principal);
    const response = await handler.fetch(request, { authInfo, parsedBody });
    if (heard === null) leave(); // refused, or nothing to hear of
    return heard === null ? response : withUnreadLimit(response, bufferBytes);
  } catch (cause) {
    leave();
    return errorResponse(parsedBody, asToolError(cause));
  }
}

/** A refusal under the number of the request. */
function errorResponse(message: unknown, error: ToolError): Response {
  const { id = null } = message as { id?: unknown };
  const { code, message: words, data } = protocolError(error);
  return Response.json({ jsonrpc: "2.0", id, error: { code, message: words, data } });
}

/** The same stream, whose reader is left behind once it has left so many bytes unread. */
function withUnreadLimit(response: Response, bufferBytes: number): Response {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const events = eventStream({ bufferBytes, onClose: () => void reader.cancel().catch(() => {}) });
  const pump = async () => {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      events.write(decoder.decode(read.value, { stream: true }));
  };
  void pump().then(events.close, events.close);
  return new Response(events.body, { status: response.status, headers: response.headers });
}
