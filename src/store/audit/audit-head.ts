import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type NotedHead, noteText, readNote } from "../../domain/audit/audit.ts";
import { ToolError } from "../../kernel/errors.ts";
import { privateFile, syncPath } from "../data-dir.ts";

/** Stores the last entry of the audit log outside the database. */
export interface AuditHeadStore {
  /** Returns null when there is no head or it is unreadable. */
  read(): NotedHead | null;
  write(head: NotedHead): void;
}

/**
 * Stores the audit head in a file next to the database, authenticated by the key of the log. Truncating the log
 * undetected would require changing this file too, and without the key only an older head could be restored.
 */
export function auditHeadFile(dataDir: string): AuditHeadStore {
  const file = join(dataDir, "audit-head");
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
