import type { Claim } from "./claims.ts";

/** A claim to be stored, with what its outcome is computed from. */
export interface NewClaim extends Omit<Claim, "claim_id" | "withdrawn_at" | "state" | "settled_at"> {
  /** Close of the last bar that counts, ISO 8601 UTC. */
  readonly until: string;
  /** Close of the last bar that had closed; `data_as_of` is its time. */
  readonly close: number;
}

/** Claims of the accounts of one market. They are never changed; a withdrawal and a result are added once. */
export interface Claims {
  /**
   * Stores a claim and returns it; returns the stored one if the account has an equal claim of the same author at the same bar.
   * Rejects with REFUSED at the maximum number.
   */
  add(account: string, claim: NewClaim): Promise<{ readonly claim: Claim; readonly isNew: boolean }>;
  /** Returns all claims of the account, newest first. */
  list(account: string): Promise<readonly StoredClaim[]>;
  /** Adds the time of a withdrawal, unless it has one; null if the account has no such claim. */
  withdraw(account: string, id: string, at: string): Promise<Claim | null>;
}

/** A claim with the end of its window. */
export type StoredClaim = Claim & Pick<NewClaim, "until">;
