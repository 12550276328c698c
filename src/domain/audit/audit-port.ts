import type { AuditEvent } from "../trading/trading-port.ts";
import type { AuditHead, AuditWrong, NotedHead } from "./audit.ts";

/** One entry as it is kept and exported. */
export interface AuditEntry extends AuditHead {
  /** Names the key of `mac`. */
  readonly key: string;
  readonly at: string;
  readonly account: string;
  readonly market: string;
  readonly event: AuditEvent;
  /** JSON with sorted keys. */
  readonly about: string;
  /** The code of the entry before. */
  readonly previous: string;
}

/** What an entry is chained to. */
export interface AuditTail {
  readonly last: AuditHead;
  /** As it was noted beside the store; ahead of `last` where entries were cut off. */
  readonly noted: NotedHead | null;
  /** As it was sealed; null before the first entry, and once it was forgotten. */
  readonly sealedKey: string | null;
  /** The master key that all seals are under; null before the first. */
  readonly masterKeyId: string | null;
}

/** What is written at once. */
export interface AuditAppend {
  readonly entry: AuditEntry;
  /** The sealed key, where it was made for this entry, and the master key that it is under. */
  readonly newKey: { readonly sealed: string; readonly under: string } | null;
  /** The code by which a head is noted beside the store. */
  readonly codeOf: (head: AuditHead) => string;
}

/** What stands in the store of which no entry says that it was done: by kind, and its id, or account of limits. */
export interface UnloggedChange {
  readonly kind: "order" | "connection" | "limits";
  readonly id: string;
}

/** One thing that is not as it was written; `seq` is where. */
export interface AuditFault {
  readonly seq: number;
  readonly wrong: AuditWrong;
  readonly detail: string;
  /** What stands there now; null where nothing does. */
  readonly entry: Pick<AuditEntry, "at" | "account" | "event"> | null;
}

/** What a look at the whole log came to. */
export interface AuditReport {
  readonly ok: boolean;
  readonly entries: number;
  /** How many were found as they were written. */
  readonly verified: number;
  /** Where the log ends. */
  readonly head: AuditHead;
  /** How many faults there are, and the first of them by their number. */
  readonly fault_count: number;
  readonly faults: readonly AuditFault[];
}

/** A look at the whole log, over all accounts and markets of an installation. */
export interface AuditVerifier {
  /** Reads every entry. */
  check(): Promise<AuditReport>;
  /** Whether an entry that was the last at an earlier look still stands in it. */
  contains(head: AuditHead): Promise<boolean>;
}

/** The chain of an installation as it is kept, over all its accounts and markets. */
export interface AuditRepository {
  /** One at a time over all processes; on disk when it resolves, and its head noted beside the store. */
  append(make: (end: AuditTail) => AuditAppend): Promise<void>;
  sealedKey(): Promise<string | null>;
  /** Entries after the one of that number, in order, at most so many. */
  entries(after: number, limit: number): Promise<readonly AuditEntry[]>;
  /** The head as it was noted beside the store; null where it was not. */
  notedHead(): NotedHead | null;
  /**
   * Orders that a broker was asked for, connections, and limits that were set, of which there is no entry. Each is written
   * down before it is done: there is none unless entries are gone.
   */
  unloggedChanges(): Promise<readonly UnloggedChange[]>;
}
