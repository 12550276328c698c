/** One message to a mailbox, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same at every attempt, so that a mailbox recognizes a repeated message. */
  readonly id: string;
}

/** Sends mail to the addresses that the owner of the server allows, and to no others. */
export interface Mailer {
  /** Throws NOT_CONNECTED if no mail server is set, and INVALID_INPUT for an address that is not allowed. */
  check(address: string): void;
  /** Resolves to the code of the mail server's reply. Rejects with REFUSED as `check` throws, and with UPSTREAM_UNAVAILABLE without a reply. */
  send(mail: Mail): Promise<number>;
}
