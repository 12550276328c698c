import type { Server } from "node:http";
import { rollingDay } from "./lookup.ts";
import { vendorPath } from "./replay.ts";
import { acceptSockets, type ServerSocket } from "./sockets.ts";
import { type StreamedTrade, type StreamSession, streamFormats } from "./stream-formats.ts";
import type { World } from "./world.ts";

/** Faults of a vendor's stream. */
export interface StreamTraps {
  /** Messages sent instead of the welcome; the connection ends after them. */
  readonly refuse?: readonly unknown[];
  /** Accepts connections, but never sends anything. */
  readonly silent?: boolean;
  /** Canonical symbols that the vendor does not list. */
  readonly unlisted?: readonly string[];
}

export interface StreamVendors {
  /** Symbols of each open connection to a vendor, in the order of the connections. */
  subscriptions(vendor: string): readonly (readonly string[])[];
  /** Number of connections so far, including closed ones. */
  connections(vendor: string): number;
  /** Messages received so far, parsed. */
  received(vendor: string): readonly any[];
  set(vendor: string, traps: StreamTraps): void;
  /** Sends a trade to every connection that subscribes to the vendor's symbol, or with `force` to all. */
  push(vendor: string, symbol: string, trade: StreamedTrade, options?: { readonly force?: boolean }): void;
  /** Sends messages of no use about a symbol. */
  pushGarbage(vendor: string, symbol: string, at: number): void;
  /** Sends one message to every connection. */
  send(vendor: string, message: unknown): void;
  heartbeat(vendor: string): void;
  /** Breaks all connections to a vendor. */
  drop(vendor: string): void;
  /** Sends each connection the newest trades of the world and a heartbeat. */
  tick(): void;
  close(): void;
}

export interface StreamVendorsOptions {
  readonly world: Pick<World, "now" | "instrument"> & Partial<World>;
  readonly symbolLimit?: number;
}

/** Serves the vendors' streams on an HTTP server, each under its own path: `/kraken/v2`. */
export function streamVendors(server: Server, { world, symbolLimit }: StreamVendorsOptions): StreamVendors {
  const formats = new Map(streamFormats(symbolLimit).map((format) => [format.name, format]));
  const open = new Map<string, Map<ServerSocket, StreamSession>>();
  const counts = new Map<string, number>();
  const received = new Map<string, unknown[]>();
  const traps = new Map<string, StreamTraps>();
  const sessionsOf = (vendor: string) => open.get(vendor) ?? new Map<ServerSocket, StreamSession>();
  const formatOf = (vendor: string) => formats.get(vendor)!;

  acceptSockets(server, (pathname, socket) => {
    const { name, path } = vendorPath(pathname);
    const format = formats.get(name);
    if (format === undefined || path.replace(/\/$/, "") !== format.path) return null;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const send = (messages: readonly unknown[]) => {
      if (traps.get(name)?.silent === true) return;
      for (const message of messages) socket.send(JSON.stringify(message));
    };
    const { refuse } = traps.get(name) ?? {};
    if (refuse !== undefined) {
      send(refuse);
      socket.close();
      return { message() {}, closed() {} };
    }
    const sessions = sessionsOf(name);
    const session: StreamSession = { symbols: new Set(), isAuthorised: false };
    sessions.set(socket, session);
    open.set(name, sessions);
    send(format.welcome);
    return {
      message(text) {
        const message: unknown = JSON.parse(text);
        received.set(name, [...(received.get(name) ?? []), message]);
        const listed = (symbol: string) => {
          const own = format.canonical(symbol);
          return world.instrument(own) !== null && traps.get(name)?.unlisted?.includes(own) !== true;
        };
        send(format.receive(message, session, listed));
      },
      closed: () => void sessions.delete(socket),
    };
  });

  function push(
    vendor: string,
    symbol: string,
    trade: StreamedTrade,
    { force = false }: { readonly force?: boolean } = {},
  ): void {
    for (const [socket, { symbols }] of sessionsOf(vendor))
      if (force || symbols.has(symbol))
        for (const message of formatOf(vendor).trade(symbol, trade)) socket.send(JSON.stringify(message));
  }

  function heartbeat(vendor: string): void {
    for (const [socket, session] of sessionsOf(vendor))
      for (const message of formatOf(vendor).heartbeat(session, world.now()))
        socket.send(JSON.stringify(message));
  }

  return {
    subscriptions: (vendor) => [...sessionsOf(vendor).values()].map(({ symbols }) => [...symbols]),
    connections: (vendor) => counts.get(vendor) ?? 0,
    received: (vendor) => received.get(vendor) ?? [],
    set: (vendor, trap) => void traps.set(vendor, trap),
    push,
    pushGarbage(vendor, symbol, at) {
      for (const [socket] of sessionsOf(vendor)) {
        for (const message of formatOf(vendor).garbage(symbol, at)) socket.send(JSON.stringify(message));
        for (const text of ["", "null", "OK", '{"data":', "<html></html>", "[[[]]]"]) socket.send(text);
        socket.sendBytes(Buffer.from([0xff, 0x00, 0x7b]));
      }
    },
    send(vendor, message) {
      for (const socket of sessionsOf(vendor).keys()) socket.send(JSON.stringify(message));
    },
    heartbeat,
    drop(vendor) {
      for (const socket of sessionsOf(vendor).keys()) socket.terminate();
    },
    tick() {
      for (const [vendor, { canonical }] of formats) {
        heartbeat(vendor);
        for (const symbol of new Set(
          [...sessionsOf(vendor).values()].flatMap(({ symbols }) => [...symbols]),
        )) {
          const trade = tradeOf(canonical(symbol), world);
          if (trade !== null) push(vendor, symbol, trade);
        }
      }
    },
    close() {
      for (const sessions of open.values()) for (const socket of sessions.keys()) socket.terminate();
    },
  };
}

/** The newest trade of a symbol with the figures that a stream sends; null if there is none. */
function tradeOf(symbol: string, world: StreamVendorsOptions["world"]): StreamedTrade | null {
  const trade = world.trade?.(symbol) ?? null;
  if (trade === null) return null;
  return world.instrument(symbol)?.asset_class === "crypto" ? rollingDay(world as World, symbol) : trade;
}
