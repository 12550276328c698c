import { WebSocket } from "ws";

/** Longest message that is read, bytes; a longer one ends the connection before it is read. */
export const MAX_MESSAGE_BYTES = 1 << 20;
/** Time within which a connection has to open, ms. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** The part of the standard WebSocket that the server uses. @see https://websockets.spec.whatwg.org */
export interface Socket {
  send(message: string): void;
  close(): void;
  addEventListener(type: "open" | "close" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

export type WebSocketConstructor = new (url: string) => Socket;

/**
 * A websocket with bounded messages. It accepts no compressed ones, whose size is not known before they are unpacked,
 * and follows no redirects.
 */
export class BoundedWebSocket extends WebSocket implements Socket {
  constructor(url: string) {
    super(url, {
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    });
  }
}
