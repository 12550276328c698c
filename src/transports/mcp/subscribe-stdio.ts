import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/accounts/access.ts";
import { asToolError } from "../../kernel/errors.ts";
import { rpcErrorResponse } from "./resources.ts";
import { CANCELLED } from "./session.ts";
import type { Subscriptions } from "./subscribe.ts";
import { LISTEN_METHOD, requestedUris } from "./subscribe-http.ts";

/**
 * Wraps a transport to handle listen requests (2026-07-28) before the SDK acknowledges them: subscribes to their
 * resources until they end, and refuses a request for a resource without updates. Passes all other messages on, in
 * order.
 */
export function listeningTransport(
  transport: Transport,
  subscriptions: Subscriptions,
  principal: Principal,
): Transport {
  const listening = new Map<RequestId, readonly string[]>();
  let queue = Promise.resolve();

  const endListen = (id: RequestId) => {
    const uris = listening.get(id) ?? [];
    listening.delete(id);
    const remaining = new Set([...listening.values()].flat());
    subscriptions.remove(uris.filter((uri) => !remaining.has(uri)));
  };
  /** Returns true if the message is passed on to the SDK. */
  const accept = async (message: JSONRPCMessage): Promise<boolean> => {
    if (!("method" in message)) return true;
    if (message.method === CANCELLED) {
      const { requestId } = (message.params ?? {}) as { requestId?: RequestId };
      if (requestId !== undefined) endListen(requestId);
    }
    if (message.method !== LISTEN_METHOD || !("id" in message)) return true;
    try {
      const uris = requestedUris(message);
      await subscriptions.add(uris, principal);
      listening.set(message.id, uris);
      return true;
    } catch (cause) {
      await transport.send(rpcErrorResponse(asToolError(cause), message.id));
      return false;
    }
  };

  const wrapper: Transport = {
    async start() {
      transport.onclose = () => {
        subscriptions.clear();
        wrapper.onclose?.();
      };
      transport.onerror = (error) => wrapper.onerror?.(error);
      transport.onmessage = (message, extra) => {
        queue = queue
          .then(async () => {
            if (await accept(message)) wrapper.onmessage?.(message, extra);
          })
          .catch((cause: unknown) => wrapper.onerror?.(cause as Error));
      };
      await transport.start();
    },
    async send(message, options) {
      // the response to a listen request ends it
      if (!("method" in message) && message.id !== undefined) endListen(message.id);
      await transport.send(message, options);
    },
    close: () => transport.close(),
  };
  return wrapper;
}
