import { z } from "zod";

/** What is wrong with an entry: its text, its absence, those at the end, what it is chained to, or that nobody can say. */
export const AuditWrong = z.enum(["edited", "missing", "cut", "rewritten", "unknown_key"]);
export type AuditWrong = z.infer<typeof AuditWrong>;

/** Where the chain of the audit log ends: the number of its last entry and its code. */
export interface AuditHead {
  readonly seq: number;
  readonly mac: string;
}

/** A head as it was noted beside the store. */
export interface NotedHead extends AuditHead {
  /** Which the key of the log gave the head when it was noted; null where the note holds none. */
  readonly code: string | null;
}

/** Before the first entry. */
export const NO_ENTRY: AuditHead = { seq: 0, mac: "0".repeat(64) };

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/;

const NOTE = /^(.*?:.*?)(?::([0-9a-f]{64}))?$/s;

/** A noted head as it is kept: `<seq>:<mac>:<code>`. */
export const noteText = ({ code, ...head }: NotedHead): string =>
  code === null ? headText(head) : `${headText(head)}:${code}`;

/** Reads such a text; null where it is none. */
export function readNote(text: string): NotedHead | null {
  const [, said = "", code = null] = NOTE.exec(text.trim()) ?? [];
  const head = readHead(said);
  return head === null ? null : { ...head, code };
}

/** A head as people pass it on: `<seq>:<mac>`. */
export const headText = ({ seq, mac }: AuditHead): string => `${seq}:${mac}`;

/** Reads such a text; null where it is none. */
export function readHead(text: string): AuditHead | null {
  const [, seq, mac] = HEAD.exec(text.trim()) ?? [];
  return seq === undefined || mac === undefined ? null : { seq: Number(seq), mac };
}
