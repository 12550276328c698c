import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** Returns a local port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/**
 * Returns a free port below those that the system gives to connections, for a server that closes its port for a moment:
 * a connection of another process cannot take it then.
 */
export async function reservedPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const probe = createServer().listen(port, "0.0.0.0");
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
  throw new Error("No port from 20000 to 29999 is free");
}
