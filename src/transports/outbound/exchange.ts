import { request as requestOpen } from "node:http";
import { type RequestOptions, request } from "node:https";
import { isIPv6, type LookupFunction, type TcpNetConnectOpts } from "node:net";
import type { OutgoingRequest } from "../../domain/alerts/outbound-client-port.ts";
import type { Target } from "./target.ts";

/** Of an answer no more is read; its headers have a limit of their own. */
const MAX_RESPONSE_BYTES = 4_096;
const MAX_HEADER_BYTES = 8_192;
/** How long one of several addresses is tried before the next one is tried beside it. */
const NEXT_ADDRESS_MS = 1_000;

/** What of an answer is looked at. */
export interface ReceiverResponse {
  readonly status: number;
  readonly retryAfter: string | null;
}

/**
 * Sends a message to one of these addresses and to no other, whatever the name leads to by now, on a connection of its own.
 * No redirect is followed. Rejects where no status came before the signal.
 */
export function exchange(
  { url, isPlainHttp: open }: Target,
  addresses: readonly string[],
  { headers, body }: OutgoingRequest,
  { signal, ca }: { readonly signal: AbortSignal; readonly ca?: string },
): Promise<ReceiverResponse> {
  return new Promise((resolve, reject) => {
    let answer: ReceiverResponse | null = null;
    const options: RequestOptions & Omit<TcpNetConnectOpts, "port"> = {
      method: "POST",
      headers,
      agent: false,
      lookup: pinnedLookup(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca }),
    };
    const sent = (open ? requestOpen : request)(url, options);
    sent.on("response", (incoming) => {
      const { statusCode = 0, headers: answered } = incoming;
      answer = { status: statusCode, retryAfter: answered["retry-after"] ?? null };
      let read = 0;
      incoming.on("error", () => {});
      incoming.on("data", (chunk: Buffer) => {
        read += chunk.length;
        if (read > MAX_RESPONSE_BYTES) sent.destroy();
      });
    });
    sent.on("error", (cause) => {
      if (answer === null) reject(cause);
    });
    sent.on("close", () => {
      if (answer === null) reject(new Error("The connection was closed without an answer"));
      else resolve(answer);
    });
    sent.end(body);
  });
}

/** Looks nothing up: the answer is known. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, options, done) => {
    const [first] = found;
    if (first === undefined) done(new Error("No address"), "");
    else if (options.all === true) done(null, found);
    else done(null, first.address, first.family);
  };
}
