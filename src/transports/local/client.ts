import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { ToolError } from "../../kernel/errors.ts";
import type { Progress } from "../../kernel/tool.ts";
import type { LocalCall, ServerHello, ServerLine } from "./messages.ts";

/** Time for which a command waits for a server to accept its connection, in milliseconds. */
const HELLO_TIMEOUT_MS = 2_000;

/** The running server of a data folder, connected for one call. */
export interface LocalServer {
  readonly hello: ServerHello;
  /** Runs a tool at the server. Rejects with the server's ToolError, or UPSTREAM_UNAVAILABLE if the server ends. */
  call(request: LocalCall, options: LocalCallOptions): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

export interface LocalCallOptions {
  readonly signal: AbortSignal;
  readonly progress: (step: Progress) => void;
}

/**
 * Reason why no server can be called: `absent` without a socket, `stale` for the socket of a server that was killed,
 * `unresponsive` for a server that does not answer within 2 s.
 */
export type ConnectFailure = "absent" | "stale" | "unresponsive";

/** Connects to the server of a data folder by its socket. */
export async function connectLocal(path: string): Promise<LocalServer | ConnectFailure> {
  const socket = connect(path);
  const reader = createInterface({ input: socket });
  socket.once("close", () => reader.close()); // a reader ends only with its input, not when that is destroyed
  const lines = reader[Symbol.asyncIterator]();
  const failed = new Promise<ConnectFailure>((resolve) => {
    socket.on("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(code === "ENOENT" ? "absent" : code === "ECONNREFUSED" ? "stale" : "unresponsive"),
    );
  });
  const timeout = new Promise<ConnectFailure>((resolve) => {
    setTimeout(() => resolve("unresponsive"), HELLO_TIMEOUT_MS).unref();
  });
  const greeted = nextLine(lines).then((line) => (line?.kind === "hello" ? line.hello : "unresponsive"));
  const hello = await Promise.race([failed, greeted.catch(() => failed), timeout]);
  if (typeof hello !== "string")
    return {
      hello,
      call: (request, options) => callOver(socket, lines, request, options),
      close: () => socket.destroy(),
    };
  socket.destroy();
  return hello;
}

async function callOver(
  socket: Socket,
  lines: AsyncIterator<string>,
  request: LocalCall,
  { signal, progress }: LocalCallOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const cancel = () => socket.destroy();
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  else socket.write(`${JSON.stringify(request)}\n`);
  try {
    for (;;) {
      const line = await nextLine(lines).catch(() => null);
      if (line?.kind === "progress") progress(line.progress);
      else if (line?.kind === "result") return line.result;
      else if (line?.kind === "error") {
        const { code, message, options } = line.error;
        throw new ToolError(code, message, options);
      } else if (signal.aborted) throw new ToolError("CANCELLED", "The call was cancelled");
      else
        throw new ToolError(
          "UPSTREAM_UNAVAILABLE",
          "The server of this data folder ended before it answered",
          {
            hint: "Run the command again.",
          },
        );
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    socket.destroy();
  }
}

/** Reads the next line; null at the end. */
async function nextLine(lines: AsyncIterator<string>): Promise<ServerLine | null> {
  const { value, done } = await lines.next();
  return done === true ? null : (JSON.parse(value) as ServerLine);
}
