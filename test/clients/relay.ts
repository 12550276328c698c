import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A TCP relay to the server, which records what clients send. */
export interface Relay {
  readonly url: string;
  /** Returns the bytes that clients have sent since the last `forget`. */
  sent(): string;
  forget(): void;
  close(): void;
}

/** Starts a relay to a local port on a free local port. The end of one side of a connection ends the other. */
export async function openRelay(port: number): Promise<Relay> {
  let sent = "";
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    client.on("data", (chunk) => {
      sent += chunk.toString("latin1");
    });
    join(client, server);
    join(server, client);
  });
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.pipe(to);
    from.on("error", () => {}); // the close event follows
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  return {
    url: `http://127.0.0.1:${await listenAnywhere(relay)}`,
    sent: () => sent,
    forget: () => {
      sent = "";
    },
    close: () => {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function listenAnywhere(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
