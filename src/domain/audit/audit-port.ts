import type { AuditFaultKind, AuditHead, NotedHead } from "./audit.ts";
import type { AuditEvent } from "./audit-events.ts";

export interface AuditEntry extends AuditHead {
  /** Id of the key that computed `mac`. */
  readonly key: string;
  readonly at: string;
  readonly account: string;
  readonly market: string;
  readonly event: AuditEvent;
  /** JSON with sorted keys. */
  readonly about: string;
  /** `mac` of the previous entry. */
  readonly previous: string;
}

/** State of the log before a new entry. */
export interface AuditTail {
  readonly last: AuditHead;
  /** Newest recorded head; ahead of `last` when entries were cut off. */
  readonly noted: NotedHead | null;
  /** Sealed key of the log; null before the first entry and after it was deleted. */
  readonly sealedKey: string | null;
  /** Id of the master key of all seals; null before the first seal. */
  readonly masterKeyId: string | null;
}

/** A new entry with what is stored in the same transaction. */
export interface AuditAppend {
  readonly entry: AuditEntry;
  /** A key created for this entry, sealed under the master key `under`; null: the key exists. */
  readonly newKey: { readonly sealed: string; readonly under: string } | null;
  /** Returns the authentication code of a head that is recorded. */
  readonly codeOf: (head: AuditHead) => string;
}

/** The recorded heads of the log, null when missing or invalid. */
export interface NotedHeads {
  /** In the database, in the transaction of the entry. */
  readonly stored: NotedHead | null;
  /** In the head file of the data folder: the newest entry that this folder has seen. */
  readonly file: NotedHead | null;
  /** True if servers with other folders write the log, so that a new folder has no head file yet. */
  readonly isShared: boolean;
}

/** A change in the store without an entry. `id` is an order or connection id, or the account of limits. */
export interface UnloggedChange {
  readonly kind: "order" | "connection" | "limits";
  readonly id: string;
}

/** One fault, at the entry number `seq`. */
export interface AuditFault {
  readonly seq: number;
  readonly wrong: AuditFaultKind;
  readonly detail: string;
  /** The entry at this number now; null when missing. */
  readonly entry: Pick<AuditEntry, "at" | "account" | "event"> | null;
}

/** Result of verifying the log. */
export interface AuditReport {
  readonly ok: boolean;
  readonly entries: number;
  /** Number of the first entry read; an earlier verification found those before it without a fault. */
  readonly read_from: number;
  /** Number of entries without a fault. */
  readonly verified: number;
  readonly head: AuditHead;
  /** Number of faults; `faults` are the first of them by entry number. */
  readonly fault_count: number;
  readonly faults: readonly AuditFault[];
}

/** The entry before the first one to verify. */
export interface VerifiedEntry extends AuditHead {
  /** Time of the next entry, ISO 8601 UTC. */
  readonly at: string;
}

/** Verifies the log of all accounts and markets of an installation. */
export interface AuditVerifier {
  /**
   * Verifies the entries since the last verification of this process that found no fault; with `full`, and the first
   * time, every entry.
   */
  check(options?: { readonly full?: boolean }): Promise<AuditReport>;
  /** True when the log contains the entry of an earlier head. */
  contains(head: AuditHead): Promise<boolean>;
}

/** What an entry says, without secrets. */
export type AuditData = Readonly<Record<string, unknown>>;

/** Audit log of an account's actions, each entry chained to the one before. */
export interface Audit {
  /** The entry is on disk when this resolves; if it rejects, the action must not be done. */
  write(account: string, event: AuditEvent, about: AuditData): Promise<void>;
}

/** A ticket that a person confirms at `at`. */
export interface TicketToConfirm {
  readonly account: string;
  readonly market: string;
  readonly id: string;
  readonly at: string;
}

/**
 * Confirms a ticket and writes the entry `ticket_confirmed`, both or neither. Returns false, without an entry, if the
 * ticket was used, refused or confirmed before, or has expired.
 */
export type ConfirmTicket = (
  account: string,
  ticket: Pick<TicketToConfirm, "id" | "at">,
  about: AuditData,
) => Promise<boolean>;

/** The stored audit log of all accounts and markets of an installation. */
export interface AuditRepository {
  /**
   * Appends an entry, one at a time across all processes. Entry and head file are durable when it resolves. With a
   * ticket, confirms it in the same transaction; false, without an entry, if it cannot be confirmed.
   */
  append(createEntry: (tail: AuditTail) => AuditAppend, ticket?: TicketToConfirm): Promise<boolean>;
  sealedKey(): Promise<string | null>;
  /** Returns at most `limit` entries after the number, in order. */
  entries(after: number, limit: number): Promise<readonly AuditEntry[]>;
  notedHeads(): Promise<NotedHeads>;
  /**
   * Returns orders sent to a broker, connections and limits that have no entry. Every change is logged before it is
   * made, so the result is empty unless entries were deleted.
   */
  unloggedChanges(since?: VerifiedEntry): Promise<readonly UnloggedChange[]>;
}
