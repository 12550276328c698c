import type { Socket, WebSocketConstructor } from "../../src/lib/websocket.ts";

/** A websocket that the test opens, feeds and ends. */
export interface FakeSocket {
  readonly url: string;
  readonly sent: readonly any[];
  isClosed: boolean;
  open(): void;
  receive(message: unknown): void;
  end(): void;
}

/** Websockets without a network, in the order in which they were created. */
export function fakeSockets() {
  const sockets: FakeSocket[] = [];
  const WebSocket = class implements Socket {
    readonly #listeners: Record<string, ((event: any) => void)[]> = {};
    readonly #fake: FakeSocket & { sent: unknown[] };
    constructor(url: string) {
      const emit = (type: string, event: unknown = {}) => {
        for (const listener of this.#listeners[type] ?? []) listener(event);
      };
      this.#fake = {
        url,
        sent: [],
        isClosed: false,
        open: () => emit("open"),
        receive: (message) => emit("message", { data: JSON.stringify(message) }),
        end: () => emit("close"),
      };
      sockets.push(this.#fake);
    }
    send(message: string) {
      this.#fake.sent.push(JSON.parse(message));
    }
    close() {
      this.#fake.isClosed = true;
    }
    addEventListener(type: string, listener: (event: any) => void) {
      this.#listeners[type] = [...(this.#listeners[type] ?? []), listener];
    }
  } as unknown as WebSocketConstructor;
  return { WebSocket, sockets, newest: () => sockets.at(-1)! };
}
