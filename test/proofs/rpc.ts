import fc from "fast-check";
import { nastyJson, nastyValue, type Schema } from "./from-schema.ts";
import { authorizations, bytesOf, type FuzzRequest, oddHeaders, type Reply } from "./fuzz-request.ts";
import { ACCEPT } from "./proof-server.ts";

/** HTTP statuses that a JSON-RPC endpoint may return. */
export const STATUSES: ReadonlySet<number> = new Set([
  200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415, 429,
]);
/** The error code that must never be returned. */
export const INTERNAL_ERROR = -32603;

/** Draws from the first arbitrary `weight` times as often as from the other. */
export const mostly = <T>(arbitrary: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight: number) =>
  fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: other });

/** Draws one value `weight` times as often as others. */
export const usually = <T>(value: T, other: fc.Arbitrary<T>, weight: number) =>
  mostly(fc.constant(value), other, weight);

/** Method and parameters of a request. */
export interface Envelope {
  readonly method: string;
  readonly params: unknown;
}

/** Valid envelopes, envelopes with members of the wrong type, and other JSON. */
const enveloped = (envelope: fc.Arbitrary<Envelope>): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 20,
      arbitrary: fc
        .record({
          envelope,
          id: usually<unknown>(1, nastyValue(), 20),
          jsonrpc: usually<unknown>("2.0", nastyValue(), 40),
          batch: usually(false, fc.constant(true), 40),
        })
        .map(({ envelope: { method, params }, id, jsonrpc, batch }) => {
          const one = { jsonrpc, id, method, params };
          return JSON.stringify(batch ? [one, one] : one);
        }),
    },
    { weight: 1, arbitrary: nastyJson() },
  );

/** Every JSON value of a plain or event-stream reply. */
export function valuesOf({ type, text }: Reply): readonly any[] {
  if (text === "") return [];
  if (type !== "text/event-stream") return [JSON.parse(text)];
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
}

/** A tool as listed by `tools/list`. */
export interface Listed {
  readonly name: string;
  readonly inputSchema: Schema;
  /** Absent for a tool whose results can have a file. */
  readonly outputSchema?: Schema;
}

/** Properties shared by all requests of one transport. */
export interface Frame {
  readonly credentials: readonly Readonly<Record<string, string>>[];
  readonly versions: fc.Arbitrary<Readonly<Record<string, string>>>;
  /** Fault of a reply to a request with this body; null if it is right. */
  judge(reply: Reply, sent: Uint8Array): string | null;
}

/** A JSON-RPC request to a path. */
export const rpcRequest = (
  transport: string,
  path: string,
  envelope: fc.Arbitrary<Envelope>,
  { credentials, versions, judge }: Frame,
) =>
  fc
    .record({
      bytes: bytesOf(enveloped(envelope)),
      method: usually("POST", fc.constantFrom("GET", "PUT", "DELETE", "OPTIONS"), 60),
      type: usually<string>(
        "application/json",
        fc.constantFrom("text/plain", "", "application/json;charset=utf-16"),
        40,
      ),
      auth: authorizations(credentials),
      odd: oddHeaders(),
      version: versions,
    })
    .map(
      ({ bytes, method, type, auth, odd, version }): FuzzRequest =>
        sizedRequest({
          transport,
          method,
          path,
          bytes,
          type,
          headers: { ...ACCEPT, ...auth, ...odd, ...version },
          judge,
        }),
    );

/** A request with these bytes as its body, if the method has one. */
export function sizedRequest({
  transport,
  method,
  path,
  bytes,
  type,
  headers,
  judge,
}: Omit<FuzzRequest, "body" | "judge"> &
  Pick<Frame, "judge"> & { bytes: Uint8Array; type: string }): FuzzRequest {
  const carries = method !== "GET" && bytes.length > 0;
  return {
    transport,
    method,
    path,
    headers: { ...headers, ...(carries && { "content-type": type, "content-length": String(bytes.length) }) },
    body: carries ? bytes : null,
    judge: (reply) => judge(reply, bytes),
  };
}
