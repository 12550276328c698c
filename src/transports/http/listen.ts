import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { SetupError } from "../../lib/setup-error.ts";

/** A server that takes requests. */
export interface HttpListener {
  readonly port: number;
  /** Stops taking requests, lets running ones finish, cuts what is left at the deadline. */
  close(deadlineMs?: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** A connection that could not be taken, as where the process has no file handles left. */
  readonly onError?: (cause: Error) => void;
}

const DEADLINE_MS = 8_000;
const SWEEP_MS = 50;
/** Of the event loop, which takes one connection in each: to take one that waits, to read what came over it, to begin on it. */
const EVENT_LOOP_TICKS = 3;
/** Connections that are still taken once the server is to close. */
const MAX_PENDING_CONNECTIONS = 256;
const LISTEN_ERROR_TEXT: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use; set PORT to another one",
  EACCES: "may not be used by this user; set PORT to one above 1023",
  EADDRNOTAVAIL: "is not an address of this machine; check HOST",
  ENOTFOUND: "is not an address of this machine; check HOST",
};

/** Listens for HTTP. Rejects with SetupError where host or port cannot be used; `failed` hears of trouble after that. */
export async function listen(
  fetch: (request: Request, env: object) => Response | Promise<Response>,
  { host, port, onError: failed = () => {} }: ListenOptions,
): Promise<HttpListener> {
  const server = createServer(
    {
      requestTimeout: 60_000,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
    },
    // Puts its light Response in the place of Node's own, with which a bare answer costs three times as much.
    getRequestListener(fetch as never),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = LISTEN_ERROR_TEXT[cause.code ?? ""] ?? `cannot be used (${cause.code})`;
      reject(new SetupError(`${host}:${port} ${why}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  server.removeAllListeners("error").on("error", failed);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: (deadlineMs = DEADLINE_MS) => shutDown(server, deadlineMs),
  };
}

async function shutDown(server: Server, deadlineMs: number): Promise<void> {
  await acceptPendingConnections(server);
  await new Promise<void>((resolve) => {
    // A connection kept alive turns idle only once its answer is out.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Begins on what was sent before this moment: where the process is busy it lies unread, and its connection looks idle. */
async function acceptPendingConnections(server: Server): Promise<void> {
  let came = true;
  const note = () => {
    came = true;
  };
  server.on("connection", note);
  for (let taken = 0; came && taken < MAX_PENDING_CONNECTIONS; taken++) {
    came = false;
    for (let turn = 0; turn < EVENT_LOOP_TICKS; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  server.off("connection", note);
}
