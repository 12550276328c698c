import { z } from "zod";

/** Kind of fault: changed text, missing entry, entries cut off at the end, wrong predecessor, or not verifiable. */
export const AuditFaultKind = z.enum(["edited", "missing", "cut", "rewritten", "unknown_key"]);
export type AuditFaultKind = z.infer<typeof AuditFaultKind>;

/** End of the audit log: number and code of its last entry. */
export interface AuditHead {
  readonly seq: number;
  readonly mac: string;
}

/** A head as it is recorded in the database, and in the head file of a data folder. */
export interface NotedHead extends AuditHead {
  /** Code of the head under the key of the log; null when it has none. */
  readonly code: string | null;
}

/** Head of an empty log. */
export const NO_ENTRY: AuditHead = { seq: 0, mac: "0".repeat(64) };

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/;

const NOTE = /^(.*?:.*?)(?::([0-9a-f]{64}))?$/s;

/** Text of a recorded head: `<seq>:<mac>:<code>`. */
export const noteText = ({ code, ...head }: NotedHead): string =>
  code === null ? headText(head) : `${headText(head)}:${code}`;

/** Parses the text of a recorded head; null when invalid. */
export function readNote(text: string): NotedHead | null {
  const [, headPart = "", code = null] = NOTE.exec(text.trim()) ?? [];
  const head = readHead(headPart);
  return head === null ? null : { ...head, code };
}

/** A head as text: `<seq>:<mac>`. */
export const headText = ({ seq, mac }: AuditHead): string => `${seq}:${mac}`;

/** Parses a head; null when invalid. */
export function readHead(text: string): AuditHead | null {
  const [, seq, mac] = HEAD.exec(text.trim()) ?? [];
  return seq === undefined || mac === undefined ? null : { seq: Number(seq), mac };
}
