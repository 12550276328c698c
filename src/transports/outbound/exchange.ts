import { request as httpRequest } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { isIPv6, type LookupFunction, type TcpNetConnectOpts } from "node:net";
import type { OutgoingRequest } from "../../domain/alerts/outbound-client-port.ts";
import type { Target } from "./target.ts";

/** Maximum size of a response body and of response headers, in bytes. */
const MAX_RESPONSE_BYTES = 4_096;
const MAX_HEADER_BYTES = 8_192;
/** Delay before the next address is tried in parallel, in milliseconds. */
const NEXT_ADDRESS_MS = 1_000;

/** Status of a response and its Retry-After header. */
export interface ReceiverResponse {
  readonly status: number;
  readonly retryAfter: string | null;
}

/**
 * Sends a message on a new connection to one of these addresses, without another DNS lookup. Does not follow redirects.
 * Rejects if no status arrives before the signal aborts.
 */
export function exchange(
  { url, isPlainHttp }: Target,
  addresses: readonly string[],
  { headers, body }: OutgoingRequest,
  { signal, ca }: { readonly signal: AbortSignal; readonly ca?: string },
): Promise<ReceiverResponse> {
  return new Promise((resolve, reject) => {
    let response: ReceiverResponse | null = null;
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
    const sent = (isPlainHttp ? httpRequest : httpsRequest)(url, options);
    sent.on("response", (incoming) => {
      const { statusCode = 0, headers: received } = incoming;
      response = { status: statusCode, retryAfter: received["retry-after"] ?? null };
      let read = 0;
      incoming.on("error", () => {});
      incoming.on("data", (chunk: Buffer) => {
        read += chunk.length;
        if (read > MAX_RESPONSE_BYTES) sent.destroy();
      });
    });
    sent.on("error", (cause) => {
      if (response === null) reject(cause);
    });
    sent.on("close", () => {
      if (response === null) reject(new Error("The connection was closed without a response"));
      else resolve(response);
    });
    sent.end(body);
  });
}

/** Returns a lookup function that always returns these addresses. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, options, done) => {
    const [first] = found;
    if (first === undefined) done(new Error("No address"), "");
    else if (options.all === true) done(null, found);
    else done(null, first.address, first.family);
  };
}
