import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/accounts/access.ts";
import { asToolError } from "../../kernel/errors.ts";
import { protocolError } from "./resources.ts";
import type { Subscriptions } from "./subscribe.ts";
import { LISTEN_METHOD, requestedUris } from "./subscribe-http.ts";

/**
 * A transport whose requests to listen (2026-07-28) are looked at before the protocol acknowledges them: what they name is followed
 * as long as they stand, and one that names what cannot be followed is refused. All else passes, in order.
 */
export function listeningTransport(
  transport: Transport,
  subscriptions: Subscriptions,
  principal: Principal,
): Transport {
  const standing = new Map<RequestId, readonly string[]>();
  let turn = Promise.resolve();

  const forget = (id: RequestId) => {
    const uris = standing.get(id) ?? [];
    standing.delete(id);
    const wanted = new Set([...standing.values()].flat());
    subscriptions.remove(uris.filter((uri) => !wanted.has(uri)));
  };
  /** Whether a message may go on to the protocol. */
  const heed = async (message: JSONRPCMessage): Promise<boolean> => {
    if (!("method" in message)) return true;
    if (message.method === "notifications/cancelled") {
      const { requestId } = (message.params ?? {}) as { requestId?: RequestId };
      if (requestId !== undefined) forget(requestId);
    }
    if (message.method !== LISTEN_METHOD || !("id" in message)) return true;
    try {
      const uris = requestedUris(message);
      await subscriptions.add(uris, principal);
      standing.set(message.id, uris);
      return true;
    } catch (cause) {
      const { code, message: words, data } = protocolError(asToolError(cause));
      await transport.send({ jsonrpc: "2.0", id: message.id, error: { code, message: words, data } });
      return false;
    }
  };

  const tapped: Transport = {
    async start() {
      transport.onclose = () => {
        subscriptions.clear();
        tapped.onclose?.();
      };
      transport.onerror = (error) => tapped.onerror?.(error);
      transport.onmessage = (message, extra) => {
        turn = turn.then(async () => {
          if (await heed(message)) tapped.onmessage?.(message, extra);
        });
        turn = turn.catch((cause: unknown) => tapped.onerror?.(cause as Error));
      };
      await transport.start();
    },
    async send(message, options) {
      // an answer to a request to listen ends it, whether refused or over
      if (!("method" in message) && message.id !== undefined) forget(message.id);
      await transport.send(message, options);
    },
    close: () => transport.close(),
  };
  return tapped;
}
