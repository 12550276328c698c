import { existsSync } from "node:fs";
import { type ConnectFailure, connectLocal, type LocalServer } from "../transports/local/client.ts";
import { type ServerHello, socketPath } from "../transports/local/messages.ts";

/** Connects to the server at a socket; returns why there is none to call. */
export const connectTo = async (path: string): Promise<LocalServer | ConnectFailure> =>
  existsSync(path) ? connectLocal(path) : "absent";

/** Returns what the running server of a data folder says about itself; null without a server that answers. */
export async function findServer(dataDir: string): Promise<ServerHello | null> {
  const server = await connectTo(socketPath(dataDir));
  if (typeof server === "string") return null;
  server.close();
  return server.hello;
}
