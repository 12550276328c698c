import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createAdmission } from "../../access/admission.ts";
import { MAX_MESSAGE_BYTES, readWithinBounds } from "../../access/message-size.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { invoke, type RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry } from "../../kernel/registry.ts";
import type { Progress } from "../../kernel/tool.ts";
import { createLineSplitter } from "../line-splitter.ts";
import { connectLocal } from "./client.ts";
import type { LocalCall, ServerHello, ServerLine } from "./messages.ts";

/** Time that running calls have to end after `close`, in milliseconds. */
const CLOSE_MS = 8_000;
/** Time in which a command has to send its call, in milliseconds. */
const CALL_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 256;
/** Minimum interval between two reports of progress, in milliseconds. */
const PROGRESS_MS = 100;

export interface LocalServerDeps {
  readonly path: string;
  readonly hello: ServerHello;
  readonly registry: Registry;
  readonly ports: RuntimePorts;
  /** Caller of all calls: the owner of this machine. */
  readonly principal: Principal;
}

export interface LocalListener {
  /** URL of another server on the data folder, which commands call instead; null if there is none. */
  readonly otherServer: string | null;
  close(): Promise<void>;
}

/**
 * Serves the commands of this machine at a socket that only its owner can open (0600). Replaces the socket of a server
 * that was killed; the socket of a running server stays. Rejects with the system's error.
 */
export async function serveLocal(deps: LocalServerDeps): Promise<LocalListener> {
  const { path } = deps;
  const other = await connectLocal(path);
  if (typeof other !== "string") {
    other.close();
    return { otherServer: other.hello.url, close: async () => {} };
  }
  if (other === "stale") rmSync(path, { force: true });
  const admit = createAdmission(deps.ports.meters);
  const running = new Map<Socket, boolean>();
  const server = createServer((socket) => {
    running.set(socket, false);
    socket.once("close", () => running.delete(socket));
    serveConnection(socket, deps, admit, () => running.set(socket, true));
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, path);
  chmodSync(path, 0o600);
  return {
    otherServer: null,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const [socket, isBusy] of running) if (!isBusy) socket.destroy();
      const cut = setTimeout(() => {
        for (const socket of running.keys()) socket.destroy();
      }, CLOSE_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** Listens in this process, also in a worker of a cluster. */
const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path, exclusive: true }, () => {
      server.off("error", reject).on("error", () => {}); // a connection that was not accepted fails at its command
      resolve();
    });
  });

/** Answers the one call of a connection; its end cancels the call. */
function serveConnection(
  socket: Socket,
  deps: LocalServerDeps,
  admit: ReturnType<typeof createAdmission>,
  onCall: () => void,
): void {
  const send = (line: ServerLine) => {
    if (socket.writable) socket.write(`${JSON.stringify(line)}\n`);
  };
  const gone = new AbortController();
  const end = (line: ServerLine) => {
    send(line);
    socket.end();
  };
  let isCalled = false;
  const lines = createLineSplitter(MAX_MESSAGE_BYTES, {
    onTooLong: () =>
      end(errorLine(new ToolError("BODY_TOO_LARGE", `A call may have at most ${MAX_MESSAGE_BYTES} bytes`))),
    accept(line) {
      if (isCalled) return null;
      isCalled = true;
      onCall();
      socket.setTimeout(0);
      runCall(line, deps, admit, { signal: gone.signal, progress: throttled(send) }).then(
        (result) => end({ kind: "result", result }),
        (thrown) => end(errorLine(thrown)),
      );
      return null;
    },
  });
  socket.on("error", () => {});
  socket.once("close", () => gone.abort());
  socket.setTimeout(CALL_TIMEOUT_MS, () => socket.destroy());
  socket.pipe(lines).resume();
  send({ kind: "hello", hello: deps.hello });
}

async function runCall(
  line: Buffer,
  { registry, ports, principal }: LocalServerDeps,
  admit: ReturnType<typeof createAdmission>,
  options: { readonly signal: AbortSignal; readonly progress: (step: Progress) => void },
): Promise<Readonly<Record<string, unknown>>> {
  const admitted = await admit({ from: principal });
  const { tool: name, input } = readCall(line);
  const tool = [...registry.tools, ...registry.unavailable].find((one) => one.name === name);
  if (tool === undefined)
    throw new ToolError("NOT_FOUND", "The running server does not know this command", {
      hint: "Restart the server, so that it is of the same version as the command.",
    });
  return invoke(tool, input, { ports, principal, transport: "cli", admitted, detail: "full", ...options });
}

/** Reads a call within the bounds of all messages. Throws INVALID_INPUT for a line that is none. */
function readCall(line: Buffer): LocalCall {
  try {
    const call = readWithinBounds(line, () => JSON.parse(line.toString("utf8")) as Partial<LocalCall> | null);
    if (typeof call?.tool === "string") return { tool: call.tool, input: call.input };
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
  }
  throw new ToolError("INVALID_INPUT", "A call must be one line of JSON with tool and input");
}

function errorLine(thrown: unknown): ServerLine {
  const { code, message, hint, command, data } = asToolError(thrown);
  const options = {
    ...(hint !== undefined && { hint }),
    ...(command !== undefined && { command }),
    ...(data !== undefined && { data }),
  };
  return { kind: "error", error: { code, message, options } };
}

/** Sends the first step and then at most one in `PROGRESS_MS`. */
function throttled(send: (line: ServerLine) => void): (progress: Progress) => void {
  let sentAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - sentAt < PROGRESS_MS) return;
    sentAt = now;
    send({ kind: "progress", progress });
  };
}
