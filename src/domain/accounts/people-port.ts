import type { AppLimits, ConnectedApp } from "./connected-apps.ts";
import type { Invited, Person } from "./people.ts";

/** A single-use link: only the hash of its token is stored. */
export interface SignInLink extends Invited {
  readonly hash: string;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly expires_at: string;
}

/** The person of a session. */
export interface SignedIn extends Person {
  /** Start of the session, ISO 8601 UTC. */
  readonly since: string;
  /** Last recorded use of the session, ISO 8601 UTC. */
  readonly seen_at: string;
}

/** The session of a browser. */
export interface NewSession {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** What the browser calls itself; not verified. */
  readonly userAgent: string | null;
}

/** What a person allowed an app, as of one of its access tokens. */
export interface Grant {
  readonly person: Person;
  readonly client: string;
  readonly limits: AppLimits;
  readonly scopes: readonly string[];
  /** Resources that the token is for. */
  readonly resources: readonly string[];
  /** End of the token, ISO 8601 UTC. */
  readonly expires_at: string;
}

/** The app that holds a token, and the account for which it acts. */
export interface TokenHolder {
  readonly account: string;
  readonly client: string;
}

/** People, their sessions and the apps they allowed. */
export interface People {
  /** Adds a link, and deletes the expired ones, and those of an invited person from before. */
  addLink(link: SignInLink): Promise<void>;
  /** Returns true for a link that `useLink` would use at `now`. */
  hasLink(linkHash: string, now: string): Promise<boolean>;
  /**
   * Uses a link that is unused and not expired at the start of the session, and stores the session of its person, in one
   * transaction. The person is created with the given id at their first link; a later one sets the role. False if there
   * is no such link, or its account is suspended: then it stays unused.
   */
  useLink(linkHash: string, session: NewSession, newPerson: string): Promise<boolean>;
  /**
   * Ends the sessions, links and apps of the people of an account, and deletes their passwords, passkeys and identities. Returns
   * the people.
   */
  resetSignIn(account: string): Promise<readonly Person[]>;
  /** Returns the person of a session that has not expired at `now`, unless their account is suspended; else null. */
  session(token: string, now: string): Promise<SignedIn | null>;
  endSession(token: string): Promise<void>;
  /** Ends the other sessions of the person of a session. */
  endOtherSessions(token: string): Promise<void>;
  /** Returns the grant of an access token that is valid at `now`; null if there is none. */
  grant(tokenHash: string, now: string): Promise<Grant | null>;
  /** Returns the person who connected an identity of an issuer; null if none did. `key`: see `identityKey`. */
  identified(key: string): Promise<Person | null>;
  /** Deletes the identities that a person connected. False if there was none. */
  removeIdentity(person: string): Promise<boolean>;
  /** Returns true if a person signs in to the account. */
  hasPerson(account: string): Promise<boolean>;
  /** Returns the apps that people of an account allowed, newest first. */
  apps(account: string): Promise<readonly ConnectedApp[]>;
  /** Ends what people of an account allowed an app, with its tokens, in one transaction. False if there was nothing. */
  disconnect(account: string, client: string): Promise<boolean>;
  /** Returns the app and the account of a token by its hash, also of a refresh token; null if there is none. */
  tokenHolder(tokenHash: string): Promise<TokenHolder | null>;
  /**
   * Disconnects an app that has no token and no code to exchange which is valid at `now`. False if it has one, or was not
   * connected.
   */
  disconnectUnused(holder: TokenHolder, now: string): Promise<boolean>;
  /** Deletes expired sessions, tokens and codes, and apps registered before `unusedSince` without a consent. */
  sweep(now: string, unusedSince: string): Promise<void>;
}
