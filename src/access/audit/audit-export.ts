import { type AuditHead, headText, readHead } from "../../domain/audit/audit.ts";
import type { AuditEntry } from "../../domain/audit/audit-port.ts";
import { ToolError } from "../../kernel/errors.ts";

/** What may steer or hide text on a terminal and that JSON does not escape by itself. */
const INVISIBLE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A log as it was exported: each entry as its line, by number, and the head it had. */
export interface AuditExport {
  readonly lines: ReadonlyMap<number, string>;
  readonly head: AuditHead;
}

/** An entry as one line of JSON, in plain characters: nothing in it steers a terminal. */
export const exportLine = ({
  seq,
  at,
  account,
  market,
  event,
  about,
  key,
  previous,
  mac,
}: AuditEntry): string =>
  JSON.stringify({ seq, at, account, market, event, about, key, previous, mac }).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The line that ends an export and tells that it is whole. */
export const endLine = (head: AuditHead, exportedAt: Date): string =>
  JSON.stringify({ head: headText(head), exported_at: exportedAt.toISOString() });

/** Reads what was exported. INVALID_INPUT, with the line, where it is no export or not a whole one. */
export function readExport(text: string): AuditExport {
  const lines = new Map<number, string>();
  let last: AuditEntry | null = null;
  let head: AuditHead | null = null;
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const said = objectIn(line);
    if (said === null || head !== null) throw notExported(`line ${at + 1} is no line of one`);
    if (typeof said.head === "string") head = readHead(said.head);
    else if (isEntry(said)) {
      last = said;
      lines.set(said.seq, exportLine(said));
    } else throw notExported(`line ${at + 1} is no entry`);
  }
  if (head === null) throw notExported("it does not end with a head");
  if (head.seq !== (last?.seq ?? 0) || (last !== null && head.mac !== last.mac))
    throw notExported("its head is not that of its last entry");
  return { lines, head };
}

const FIELDS = ["at", "account", "market", "event", "about", "key", "previous", "mac"] as const;

const isEntry = (said: Readonly<Record<string, unknown>>): said is Record<string, unknown> & AuditEntry =>
  Number.isSafeInteger(said.seq) && FIELDS.every((field) => typeof said[field] === "string");

function objectIn(line: string): Record<string, unknown> | null {
  try {
    const said: unknown = JSON.parse(line);
    return typeof said === "object" && said !== null ? (said as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const notExported = (why: string): ToolError =>
  new ToolError("INVALID_INPUT", `This is no whole export of an audit log: ${why}`, {
    hint: "`market-signal audit export --out <file>` writes one.",
  });
