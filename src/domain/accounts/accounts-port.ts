import type { Plan } from "./access.ts";
import type { AccountRecord } from "./keyring-port.ts";

/** An account with a summary of its keys. Times are ISO 8601 UTC. */
export interface AccountSummary extends AccountRecord {
  /** Number of its keys, including those that are no longer valid. */
  readonly keys: number;
  /** Start of the hour in which one of its keys was last used; null if none was. */
  readonly last_used_at: string | null;
}

/** A key of an account, without its hash. */
export interface AccountKey {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly state: "active" | "grace" | "replaced" | "expired" | "revoked";
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

export interface AccountDetails extends Omit<AccountSummary, "keys"> {
  readonly keys: readonly AccountKey[];
  /** Number of stored rows by table; tables without a row are omitted. */
  readonly stored: Readonly<Record<string, number>>;
  /** Orders that may still be filled in live accounts. */
  readonly open_live_orders: readonly string[];
}

/** Change of an account's plan, or of its named row of the plan schedule (null removes that row). */
export interface PlanChange {
  readonly plan?: Plan;
  readonly terms?: string | null;
}

/**
 * Administration of all accounts. `by` names who acts: the id of a key, or "owner" for the owner of the server. Changes
 * and exports are written to the audit log first. Rejects with NOT_FOUND for an unknown account, and with INVALID_INPUT
 * for a change of the owner account, which has no limits and cannot be suspended or deleted.
 */
export interface Accounts {
  list(): Promise<readonly AccountSummary[]>;
  show(id: string): Promise<AccountDetails>;
  setPlan(id: string, change: PlanChange, by: string): Promise<AccountSummary>;
  /** Refuses the keys of an account, in every process within 500 ms, until it is resumed. */
  suspend(id: string, by: string): Promise<AccountSummary>;
  resume(id: string, by: string): Promise<AccountSummary>;
  /** Returns the text of a JSON document with everything stored for an account, in parts, without secrets. */
  export(id: string, by: string): Promise<AsyncIterable<string>>;
  /**
   * Deletes an account and everything stored for it except its audit entries. Returns the number of deleted rows by
   * table. Rejects with CONFLICT while an order may still be filled in a live account.
   */
  delete(id: string, by: string): Promise<Readonly<Record<string, number>>>;
}

/** Rows of a table that belong to one account. */
export interface AccountRows {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** The stored accounts with all that belongs to them. */
export interface AccountRepository {
  list(): Promise<readonly AccountSummary[]>;
  /** Returns null for an unknown account. */
  find(id: string): Promise<AccountSummary | null>;
  /** Suspends the account at a time, or resumes it with null. */
  setSuspended(id: string, at: string | null): Promise<void>;
  /** Returns the number of stored rows by table. */
  countRows(id: string): Promise<Readonly<Record<string, number>>>;
  /** Returns the ids of orders that may still be filled in live accounts, oldest first. */
  openLiveOrders(id: string): Promise<readonly string[]>;
  /** Reads the rows of an account page by page, without secrets; its audit entries are included. */
  rows(id: string): AsyncIterable<AccountRows>;
  /** Deletes the account, all or nothing. Rejects with CONFLICT while it has an open live order. */
  delete(id: string): Promise<Readonly<Record<string, number>>>;
}
