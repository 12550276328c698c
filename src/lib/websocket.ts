/** The part of the standard WebSocket that the server uses. @see https://websockets.spec.whatwg.org */
export interface Socket {
  send(message: string): void;
  close(): void;
  addEventListener(type: "open" | "close" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

export type WebSocketConstructor = new (url: string) => Socket;

/** Returns the WebSocket of the runtime; null on Node 20 without `--experimental-websocket`. */
export const runtimeWebSocket = (): WebSocketConstructor | null =>
  (globalThis as { readonly WebSocket?: WebSocketConstructor }).WebSocket ?? null;
