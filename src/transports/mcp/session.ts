import { isJSONRPCNotification, type JSONRPCMessage, type RequestId } from "@modelcontextprotocol/server";

/**
 * Header with which clients of 2025-03-26 to 2025-11-25 repeat the id that the response to `initialize` contains. It
 * only tells the clients of one account apart: a request without it, or with an id that this server does not know, is
 * served alike.
 */
export const SESSION_HEADER = "mcp-session-id";
const SESSION_ID = /^[\x21-\x7e]{1,128}$/;
export const CANCELLED = "notifications/cancelled";
/** First revision with session ids. */
const SESSIONS_SINCE = "2025-03-26";

/** A session of a client of an account. */
export interface Session {
  readonly account: string;
  readonly id: string;
}

/** Returns the session of a request; null if it has no session id. */
export function sessionOf({ headers }: Request, account: string): Session | null {
  const id = headers.get(SESSION_HEADER);
  return id !== null && SESSION_ID.test(id) ? { account, id } : null;
}

export const sessionKey = ({ account, id }: Session): string => JSON.stringify([account, id]);

/** Returns the address of a message of a session: 1 and "1" are different ids. */
export const addressOf = (session: Session, id: RequestId): string =>
  `${sessionKey(session)} ${JSON.stringify(id)}`;

/** Returns the id of the request that a message cancels; null for any other message. */
export function cancelledId(message: unknown): RequestId | null {
  if ((message as { method?: unknown } | null)?.method !== CANCELLED) return null;
  if (!isJSONRPCNotification(message)) return null;
  return requestIdOf((message.params as { requestId?: unknown } | undefined)?.requestId);
}

/** Returns a request id; null for any other value. */
export const requestIdOf = (id: unknown): RequestId | null =>
  typeof id === "string" || Number.isSafeInteger(id) ? (id as RequestId) : null;

/** Returns the params of an `initialize` request whose revision has session ids; null for any other message. */
export function sessionRequest(message: unknown): { readonly capabilities?: unknown } | null {
  const { method, params } = (message ?? {}) as {
    method?: unknown;
    params?: { protocolVersion?: unknown; capabilities?: unknown };
  };
  const version = params?.protocolVersion;
  if (method !== "initialize" || typeof version !== "string" || version < SESSIONS_SINCE) return null;
  return params ?? null;
}

/** Returns true for a message that answers a request of the server. */
export const isAnswer = (message: unknown): message is JSONRPCMessage & { readonly id: RequestId } => {
  if (typeof message !== "object" || message === null || "method" in message) return false;
  return requestIdOf((message as { id?: unknown }).id) !== null;
};
