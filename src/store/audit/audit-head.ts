import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type NotedHead, noteText, readNote } from "../../domain/audit/audit.ts";
import { ToolError } from "../../kernel/errors.ts";
import { privateFile, syncPath } from "../data-dir.ts";

/** File of the audit log's last entry, in the data folder. */
export const AUDIT_HEAD_FILE = "audit-head";

/** Store of the audit log's last entry, outside the database. */
export interface AuditHeadStore {
  /** Returns null when the head is missing or unreadable. */
  read(): NotedHead | null;
  write(head: NotedHead): void;
}

/**
 * Creates the store of the audit head: a file next to the database, authenticated with the key of the log. To truncate
 * the log undetected, an attacker must change this file too, and without the key can only restore an older head.
 */
export function auditHeadFile(dataDir: string): AuditHeadStore {
  const file = join(dataDir, AUDIT_HEAD_FILE);
  const partial = `${file}.partial`;
  return {
    read() {
      try {
        return readNote(readFileSync(file, "utf8"));
      } catch {
        return null;
      }
    },
    /** Replaces the file atomically and durably. @throws ToolError STORAGE_FULL */
    write(head) {
      try {
        privateFile(partial);
        writeFileSync(partial, `${noteText(head)}\n`);
        syncPath(partial);
        renameSync(partial, file);
        syncPath(dirname(file));
      } catch (cause) {
        throw new ToolError("STORAGE_FULL", "The end of the audit log cannot be stored", {
          hint: "Actions that cannot be logged are rejected. The server owner has to free disk space.",
          cause,
        });
      }
    },
  };
}
