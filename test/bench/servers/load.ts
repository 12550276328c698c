import { connect } from "node:net";

/** Maximum number of running calls of one account. */
const CONNECTIONS = 8;

/** An HTTP request to repeat. */
export interface RepeatedRequest {
  /** Default: POST. */
  readonly method?: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Repeats a request on several connections, one request at a time on each, and returns the responses per second.
 * Rejects if a response is not 200.
 */
export async function requestsPerSecond(request: RepeatedRequest, ms: number): Promise<number> {
  const { hostname, port, pathname, search } = new URL(request.url);
  const { method = "POST" } = request;
  const headers = {
    host: `${hostname}:${port}`,
    ...request.headers,
    "content-length": Buffer.byteLength(request.body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.from(
    `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n${request.body}`,
  );
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      repeat({ port: Number(port), host: hostname }, { bytes, until: started + ms }),
    ),
  );
  const responses = counts.reduce((sum, count) => sum + count, 0);
  return (responses / (performance.now() - started)) * 1_000;
}

interface Repetition {
  readonly bytes: Buffer;
  /** Time after which no further request is sent, as returned by `performance.now`. */
  readonly until: number;
}

function repeat(
  to: { readonly port: number; readonly host: string },
  { bytes, until }: Repetition,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...to, noDelay: true }, () => socket.write(bytes));
    let received = "";
    let count = 0;
    socket.setEncoding("latin1").on("error", reject);
    socket.on("data", (text: string) => {
      received += text;
      if (!isComplete(received)) return;
      if (!received.startsWith("HTTP/1.1 200 ")) return reject(new Error(received.slice(0, 500)));
      received = "";
      count++;
      if (performance.now() < until) socket.write(bytes);
      else socket.end(() => resolve(count));
    });
  });
}

/** Returns true if the text is a complete response, by its Content-Length or its last chunk. */
function isComplete(text: string): boolean {
  const headersEnd = text.indexOf("\r\n\r\n");
  if (headersEnd < 0) return false;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, headersEnd + 2)) ?? [];
  return length === undefined
    ? text.endsWith("\r\n0\r\n\r\n")
    : text.length >= headersEnd + 4 + Number(length);
}
