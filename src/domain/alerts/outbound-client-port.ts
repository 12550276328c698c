/** A message that is posted to an address that a client chose. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** What a receiver answered; its text is never told to anybody. */
export interface OutgoingResponse {
  readonly status: number;
  /** Seconds it asks to be left alone; null where it does not. */
  readonly retryAfter: number | null;
}

/** Calls to addresses that clients chose. Nothing private is ever reached, no redirect followed, little of an answer read. */
export interface OutboundClient {
  /** INVALID_INPUT, saying why, for what would never be sent to: no https, a private, link-local or reserved address, a name that leads to one. */
  check(url: string): Promise<void>;
  /** Rejects with REFUSED where the address is none to be called now, with UPSTREAM_UNAVAILABLE where nobody answers in time. */
  send(message: OutgoingRequest): Promise<OutgoingResponse>;
}
