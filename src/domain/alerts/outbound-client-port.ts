/** A message to post to an address chosen by a client. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Account for which it is sent; messages of one account do not delay those of another. */
  readonly account: string;
  readonly signal?: AbortSignal;
}

/** Response of a receiver; its body is never shown. */
export interface OutgoingResponse {
  readonly status: number;
  /** Retry-After of the receiver, in seconds; null if absent. */
  readonly retryAfter: number | null;
}

/**
 * Calls addresses chosen by clients. Never reaches a private address, follows no redirect, and reads only the start of
 * a response.
 */
export interface OutboundClient {
  /**
   * Rejects with INVALID_INPUT and the reason for a URL that may never be called: not https, a private, link-local or
   * reserved address, or a name that resolves to one.
   */
  check(url: string): Promise<void>;
  /** Rejects with REFUSED if the address may not be called, with UPSTREAM_UNAVAILABLE if there is no response in time. */
  send(message: OutgoingRequest): Promise<OutgoingResponse>;
}
