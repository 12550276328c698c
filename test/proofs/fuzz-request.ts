import { Agent, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";

/** One fuzz request, and the check of its response. */
export interface FuzzRequest {
  readonly transport: string;
  readonly method: string;
  /** As sent over the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Fault of a response; null if it is right. */
  judge(reply: Reply): string | null;
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** Set-Cookie headers. */
  readonly cookies: readonly string[];
}

/** Sends the request unchanged. Rejects if the connection ends before the response is complete. */
export function sendFuzzRequest(url: string, agent: Agent, shot: FuzzRequest): Promise<Reply> {
  const { method, path, headers, body } = shot;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const hear = (response: IncomingMessage) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode!,
          type: (response.headers["content-type"] ?? "").replace(/;.*/s, ""),
          cookies: response.headers["set-cookie"] ?? [],
          text: decoded(Buffer.concat(parts), response.headers["content-encoding"]).toString("utf8"),
        }),
      );
    };
    const outgoing = request({ hostname, port, agent, method, path, headers: { ...headers } }, hear);
    outgoing.on("error", (cause: NodeJS.ErrnoException) => {
      // The server closes a connection whose request body it did not read. If it does so while this request is on its
      // way, nothing of it was read, and a client sends it again on a new connection (RFC 9110, 9.2.2). A request that
      // the server cannot take ends that connection, too.
      const isUnread = outgoing.reusedSocket && cause.code === "ECONNRESET";
      if (isUnread) sendFuzzRequest(url, new Agent(), shot).then(resolve, reject);
      else reject(cause);
    });
    outgoing.end(body ?? undefined);
  });
}

/** Returns the bytes of a response without its compression. */
function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  // a response to HEAD names an encoding, but has no body
  if (bytes.length === 0) return bytes;
  if (encoding === "br") return brotliDecompressSync(bytes);
  return encoding === "gzip" ? gunzipSync(bytes) : bytes;
}

/** The request in one line, for identification in a report. */
export const describe = ({ transport, method, path, headers, body }: FuzzRequest): string =>
  `${transport} ${method} ${path.slice(0, 160)} ${JSON.stringify(headers).slice(0, 200)} ${
    body === null ? "" : Buffer.from(body).toString("latin1").slice(0, 240)
  }`;

/** Percent-encodes any string for a query or path; lone surrogates become invalid UTF-8. */
export const percent = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    return "%ED%A0%80%FF";
  }
};

/** Bytes of a text, sometimes with an invalid UTF-8 byte inserted. */
export const bytesOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 9, arbitrary: text.map((one) => Buffer.from(one)) },
    {
      weight: 1,
      arbitrary: fc.tuple(text, fc.nat()).map(([one, at]) => {
        const bytes = Buffer.from(one);
        const place = bytes.length === 0 ? 0 : at % bytes.length;
        return Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff, 0xc0]), bytes.subarray(place)]);
      }),
    },
  );

/** Headers of credentials: mostly valid keys, sessions and tokens, sometimes malformed ones. */
export const authorizations = (valid: readonly Headers[]): fc.Arbitrary<Headers> =>
  fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...valid) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        {},
        { authorization: "" },
        { authorization: "Bearer" },
        { authorization: `Bearer ${"x".repeat(5_000)}` },
        { authorization: "bearer \u00ff\u00fe" },
        { authorization: "Bearer ms_at_" },
        { authorization: `Bearer ms_at_${"\u00e9".repeat(32)}` },
        { authorization: `Bearer ms_at_${"x".repeat(4_000)}` },
        { cookie: "market_signal_session=%" },
        { cookie: "market_signal_session=.; market_signal_session" },
        { cookie: `market_signal_session=${"x".repeat(5_000)}.%00` },
      ),
    },
  );

type Headers = Readonly<Record<string, string>>;

/** Headers that have broken other servers. */
export const oddHeaders = (): fc.Arbitrary<Readonly<Record<string, string>>> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Readonly<Record<string, string>>>(
        { accept: "image/png" },
        { accept: "*/*;q=abc, text/html" },
        { accept: ",;=,,;q" },
        { "x-request-id": "\u00ff\u0080" },
        { "x-request-id": "a".repeat(4_000) },
        { "x-forwarded-for": "::1, not an address, 1.2.3.4:99999" },
        { origin: "null" },
        { origin: "http://127.0.0.1:1" },
        { "content-encoding": "gzip" },
        { "accept-encoding": "br, gzip, zstd;q=0" },
        { range: "bytes=0-1" },
        { "if-none-match": "*" },
        { expect: "100-continue" },
        { traceparent: "00-zz-zz-zz" },
        { "x-http-method-override": "DELETE" },
        { cookie: "__proto__=1; a" },
        { host: "evil.example" },
      ),
    },
  );
