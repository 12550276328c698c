import type { Plan } from "./access.ts";
import type { Person } from "./people.ts";
import type { NewSession } from "./people-port.ts";

/** A session of a person. Times are ISO 8601 UTC. */
export interface StoredSession {
  readonly id: string;
  readonly began_at: string;
  /** Last recorded use, to the hour. */
  readonly seen_at: string;
  readonly expires_at: string;
  /** What the browser calls itself; not verified. Null: it was not recorded. */
  readonly user_agent: string | null;
  /** True for the session that asks. */
  readonly current: boolean;
}

/** A person, as the owner sees them. Times are ISO 8601 UTC. */
export interface ListedPerson extends Person {
  readonly plan: Plan;
  /** Null: none is recorded. */
  readonly last_sign_in_at: string | null;
  readonly suspended_at: string | null;
}

/** A link that signs a person in and was not opened yet. The account has no other. */
export interface UnusedLink {
  readonly account: string;
  readonly role: Person["role"];
  /** ISO 8601 UTC. */
  readonly expires_at: string;
}

/** Recovery codes of a person that were not used yet. */
export interface UnusedCodes {
  readonly left: number;
  /** Time at which they were made, ISO 8601 UTC; null if there is none. */
  readonly made_at: string | null;
}

/** Sessions, recovery codes and roles of people. */
export interface SignInRecords {
  /** Returns the sessions of a person that have not expired at `now`, newest first. `token`: the session that asks. */
  sessions(person: string, token: string, now: string): Promise<readonly StoredSession[]>;
  /** Records a use of a session. */
  useSession(token: string, now: string): Promise<void>;
  /** Ends a session of a person. False if they have none with this id. */
  endSession(person: string, id: string): Promise<boolean>;
  /** Returns true for a person of a suspended account. */
  isSuspended(person: string): Promise<boolean>;
  /** Records that a session of a person began. */
  recordSignIn(person: string, at: string): Promise<void>;
  /** Returns everybody who signs in, by account. */
  people(): Promise<readonly ListedPerson[]>;
  /** Returns the links of people other than the owner that are unused and valid at `now`, by account. */
  invitations(now: string): Promise<readonly UnusedLink[]>;
  /** Ends the unused link of an account. False if there is none. */
  endInvitation(account: string, now: string): Promise<boolean>;
  /** Changes the role of the people of an account and ends their unused links, which would change it again. */
  setRole(account: string, role: Person["role"]): Promise<boolean>;
  /** Stores hashes of recovery codes in place of all earlier ones of a person. */
  replaceCodes(
    person: string,
    codes: readonly { readonly id: string; readonly hash: string }[],
    now: string,
  ): Promise<void>;
  unusedCodes(person: string): Promise<UnusedCodes>;
  /**
   * Uses a recovery code of the person with this address and stores their session, in one transaction. Returns the person;
   * null if the code was used or is not theirs, or their account is suspended.
   */
  useCode(email: string, hash: string, session: NewSession): Promise<Person | null>;
}
