import type { AuthInfo, createMcpHandler, RequestId, ServerEvent } from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/accounts/access.ts";
import { asToolError } from "../../kernel/errors.ts";
import { eventStream } from "../http/event-stream.ts";
import type { OpenStream, StreamRegistry } from "../http/stream-registry.ts";
import { rpcErrorResponse } from "./resources.ts";
import type { Subscriptions } from "./subscribe.ts";

/** Method with which a 2026-07-28 client subscribes to changes for as long as it reads the response. */
export const LISTEN_METHOD = "subscriptions/listen";

type Bus = NonNullable<NonNullable<Parameters<typeof createMcpHandler>[1]>["bus"]>;
type Handler = Pick<ReturnType<typeof createMcpHandler>, "fetch" | "close">;

export interface ListenDeps {
  readonly id: string;
  readonly principal: Principal;
  /** Returns the current principal of the caller. Rejects if its key is no longer valid. */
  readonly refreshPrincipal: () => Promise<Principal>;
  readonly streams: StreamRegistry<OpenStream>;
  readonly subscriptions: Subscriptions;
  /** Creates a protocol handler whose stream receives the events of the bus. */
  handler(bus: Bus): Handler;
  readonly bufferBytes: number;
}

/** Returns the resource URIs of a listen request; empty for any other message. */
export function requestedUris(message: unknown): readonly string[] {
  const { params } = (message ?? {}) as {
    params?: { notifications?: { resourceSubscriptions?: unknown } };
  };
  const uris = params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

/**
 * Responds to a listen request with a stream. The stream ends when the client disconnects, its key loses access or the
 * server stops. Returns a protocol error for a refused resource. Rejects with RATE_LIMITED if too many streams are
 * open.
 */
export async function serveListen(
  request: Request,
  { authInfo, parsedBody }: { readonly authInfo: AuthInfo; readonly parsedBody: unknown },
  {
    id,
    principal,
    refreshPrincipal,
    streams,
    subscriptions,
    handler: createHandler,
    bufferBytes,
  }: ListenDeps,
): Promise<Response> {
  let emit: ((event: ServerEvent) => void) | null = null;
  const endListening = () => {
    emit = null;
    subscriptions.clear();
    streams.remove(id);
  };
  const handler = createHandler({
    publish: () => {}, // events are sent only through `emit`
    subscribe(listener) {
      emit = listener;
      return endListening;
    },
  });
  subscriptions.setSender(async ({ uri, _meta }) =>
    emit?.({ kind: "resource_updated", uri, params: { _meta } }),
  );
  streams.add({
    id,
    account: principal.account,
    recheck: async () => subscriptions.recheck(await refreshPrincipal()),
    close: () => handler.close(),
  });
  try {
    await subscriptions.add(requestedUris(parsedBody), principal);
    const response = await handler.fetch(request, { authInfo, parsedBody });
    if (emit === null) endListening(); // refused, or no resource requested
    return emit === null ? response : withUnreadLimit(response, bufferBytes);
  } catch (cause) {
    endListening();
    const { id: requestId = null } = parsedBody as { id?: RequestId | null };
    return Response.json(rpcErrorResponse(asToolError(cause), requestId));
  }
}

/** Wraps a stream response; closes it if the client leaves more than `bufferBytes` unread. */
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
