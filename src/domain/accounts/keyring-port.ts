import type { Plan, Scope } from "./access.ts";

/** One customer of this server. `terms` names a row of the plan schedule granted in place of the plan's own. */
export interface AccountRecord {
  readonly id: string;
  readonly plan: Plan;
  readonly terms: string | null;
  readonly created_at: string;
}

/** An API key as it is kept: the hash of its text, never the text. Times are ISO 8601 UTC. */
export interface KeyRecord {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  /** A test key never trades live. */
  readonly kind: "live" | "test";
  /** SHA-256 of the whole key, hex. */
  readonly hash: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Id of the key that took over, which lets this one live until `grace_until`. */
  readonly replaced_by: string | null;
  readonly grace_until: string | null;
}

/** Whose keys a call may touch: one account, or null for the operator, who may touch all. */
export type AccountFilter = string | null;

/** Accounts and their keys, durable before each promise resolves. */
export interface Keyring {
  /** The key with this hash and who holds it. The one call without an account: it is what finds the account. */
  findByHash(hash: string): Promise<{ readonly key: KeyRecord; readonly account: AccountRecord } | null>;
  account(id: string): Promise<AccountRecord | null>;
  /**
   * Opens the account unless it is open, and adds the key to it: both or neither. What is now kept of the account;
   * `agreed` hears it first and may throw, which changes nothing.
   */
  openAccount(
    account: AccountRecord,
    key?: KeyRecord,
    agreed?: (kept: AccountRecord) => void,
  ): Promise<AccountRecord>;
  /** False where there is no such account. */
  changeAccount(id: string, change: Partial<Pick<AccountRecord, "plan" | "terms">>): Promise<boolean>;
  /** Newest first. */
  keys(reach: AccountFilter): Promise<readonly KeyRecord[]>;
  key(reach: AccountFilter, id: string): Promise<KeyRecord | null>;
  /** Opens the account, and adds its key if no key was ever made here; false, adding none, otherwise. */
  addFirstKey(account: AccountRecord, key: KeyRecord): Promise<boolean>;
  /** The first revocation counts; false where the key is not within reach. */
  revokeKey(reach: AccountFilter, id: string, at: string): Promise<boolean>;
  /** Adds `next` and starts the old key's grace at once; false, changing nothing, where it was replaced or revoked. */
  replaceKey(reach: AccountFilter, id: string, next: KeyRecord, graceUntil: string): Promise<boolean>;
}
