/** A message that is posted to an address that a client chose. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** Response of a receiver; its body is never shown. */
export interface OutgoingResponse {
  readonly status: number;
  /** Retry-After of the receiver, in seconds; null if absent. */
  readonly retryAfter: number | null;
}

/** Calls to addresses that clients chose. Nothing private is ever reached, no redirect followed, little of an answer read. */
export interface OutboundClient {
  /** INVALID_INPUT, saying why, for what would never be sent to: no https, a private, link-local or reserved address, a name that leads to one. */
  check(url: string): Promise<void>;
  /** Rejects with REFUSED if the address may not be called, with UPSTREAM_UNAVAILABLE if there is no response in time. */
  send(message: OutgoingRequest): Promise<OutgoingResponse>;
}
