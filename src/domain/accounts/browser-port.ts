/** A browser's sign-in link or session: only the hash of its token is stored. */
export interface BrowserToken {
  readonly hash: string;
  readonly account: string;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly expires_at: string;
}

/** Single-use links and the sessions that they begin. */
export interface BrowserTokens {
  addLink(link: BrowserToken): Promise<void>;
  /**
   * Uses a link that is unused and not expired at `now`, and stores the session that it begins, in one transaction;
   * false if there is no such link.
   */
  exchange(linkHash: string, session: Omit<BrowserToken, "account">, now: string): Promise<boolean>;
  /** Returns the account of a session that is not expired at `now`; null if there is none. */
  session(hash: string, now: string): Promise<string | null>;
  endSession(hash: string): Promise<void>;
}
