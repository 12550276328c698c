import { connect, createServer, type Socket } from "node:net";

/** `cut`: connections break and new ones are refused; `paused`: nothing passes, as from a server that was stopped. */
export type Line = "open" | "cut" | "paused" | "slow";

const SLOW_MS = 100;

/** A proxy of a database whose connections can fail. */
export interface DatabaseProxy {
  /** Address of the database through the proxy. */
  readonly url: string;
  set(line: Line): void;
  close(): void;
}

/** Listens on a free port and forwards everything to the database. */
export async function databaseProxy(database: string): Promise<DatabaseProxy> {
  const target = new URL(database);
  const pairs = new Set<readonly [Socket, Socket]>();
  let line: Line = "open";
  const pass = (from: Socket, to: Socket) =>
    from.on("data", (data) => {
      if (line === "slow") setTimeout(() => to.write(data), SLOW_MS);
      else to.write(data);
    });
  const server = createServer((client) => {
    if (line === "cut") return void client.resetAndDestroy();
    const upstream = connect(Number(target.port || 5432), target.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    pass(client, upstream);
    pass(upstream, client);
    if (line === "paused") for (const socket of pair) socket.pause();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  const url = new URL(database);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    set(next) {
      line = next;
      for (const [client, upstream] of pairs) {
        if (line === "cut") client.resetAndDestroy();
        for (const socket of [client, upstream]) line === "paused" ? socket.pause() : socket.resume();
      }
    },
    close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
