import { type AuditHead, headText, readHead } from "../../domain/audit/audit.ts";
import type { AuditEntry } from "../../domain/audit/audit-port.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Characters that control or hide terminal text and that JSON does not escape. */
const INVISIBLE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** An exported log: the line of each entry by its number, and the head. */
export interface AuditExport {
  readonly lines: ReadonlyMap<number, string>;
  readonly head: AuditHead;
}

/** Formats an entry as one line of JSON without characters that control a terminal. */
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

/** Formats the last line of an export, which marks it as complete. */
export const endLine = (head: AuditHead, exportedAt: Date): string =>
  JSON.stringify({ head: headText(head), exported_at: exportedAt.toISOString() });

/** Parses an export. @throws ToolError INVALID_INPUT, with the line, for an invalid or incomplete export. */
export function readExport(text: string): AuditExport {
  const lines = new Map<number, string>();
  let last: AuditEntry | null = null;
  let head: AuditHead | null = null;
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const fields = objectIn(line);
    if (fields === null || head !== null) throw invalidExport(`line ${at + 1} is invalid`);
    if (typeof fields.head === "string") head = readHead(fields.head);
    else if (isEntry(fields)) {
      last = fields;
      lines.set(fields.seq, exportLine(fields));
    } else throw invalidExport(`line ${at + 1} is not an entry`);
  }
  if (head === null) throw invalidExport("it does not end with a head");
  if (head.seq !== (last?.seq ?? 0) || (last !== null && head.mac !== last.mac))
    throw invalidExport("its head does not match its last entry");
  return { lines, head };
}

const FIELDS = ["at", "account", "market", "event", "about", "key", "previous", "mac"] as const;

const isEntry = (fields: Readonly<Record<string, unknown>>): fields is Record<string, unknown> & AuditEntry =>
  Number.isSafeInteger(fields.seq) && FIELDS.every((field) => typeof fields[field] === "string");

function objectIn(line: string): Record<string, unknown> | null {
  try {
    const fields: unknown = JSON.parse(line);
    return typeof fields === "object" && fields !== null ? (fields as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const invalidExport = (reason: string): ToolError =>
  new ToolError("INVALID_INPUT", `Not a complete export of an audit log: ${reason}`, {
    hint: "Export the log again.",
    command: "market-signal audit export --out <file>",
  });
