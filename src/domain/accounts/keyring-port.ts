import type { Plan, Scope } from "./access.ts";

/** One account. `terms` is the named row of the plan schedule that replaces the row of the plan. */
export interface AccountRecord {
  readonly id: string;
  readonly plan: Plan;
  readonly terms: string | null;
  readonly created_at: string;
  /** Time since which its keys are refused; null for an account that is not suspended. */
  readonly suspended_at: string | null;
}

/** A stored API key: the hash of its text, never the text. Times are ISO 8601 UTC. */
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
  /** Id of the replacing key; this key stays valid until `grace_until`. */
  readonly replaced_by: string | null;
  readonly grace_until: string | null;
  /** Start of the hour of its last use; null before its first. */
  readonly last_used_at: string | null;
}

/** Limits a call to the keys of one account; null: all accounts (operator). */
export type AccountFilter = string | null;

/** Accounts and their keys. Changes are durable when the promise resolves. */
export interface Keyring {
  /** Returns the key with this hash and its account; null for none. */
  findByHash(hash: string): Promise<{ readonly key: KeyRecord; readonly account: AccountRecord } | null>;
  account(id: string): Promise<AccountRecord | null>;
  /**
   * Creates the account unless it exists and adds the key, both or neither. Returns the stored account. `verify` is called
   * with it before the change is committed; when it throws, nothing changes.
   */
  openAccount(
    account: AccountRecord,
    key?: KeyRecord,
    verify?: (stored: AccountRecord) => void,
  ): Promise<AccountRecord>;
  /** Returns false for an unknown account. */
  changeAccount(id: string, change: Partial<Pick<AccountRecord, "plan" | "terms">>): Promise<boolean>;
  /** Newest first. */
  keys(filter: AccountFilter): Promise<readonly KeyRecord[]>;
  key(filter: AccountFilter, id: string): Promise<KeyRecord | null>;
  /** Creates the account, and its key when the keyring has no key at all. Returns false when no key was added. */
  addFirstKey(account: AccountRecord, key: KeyRecord): Promise<boolean>;
  /** Revokes a key; an earlier revocation time stays. Returns false for an unknown key. */
  revokeKey(filter: AccountFilter, id: string, at: string): Promise<boolean>;
  /** Adds `next` and starts the grace period of the old key. Returns false, changing nothing, when the old key was replaced or revoked. */
  replaceKey(filter: AccountFilter, id: string, next: KeyRecord, graceUntil: string): Promise<boolean>;
}
