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
 * The end of the audit log as it was noted in a file beside the database, with a code by the key of the log: whoever cuts
 * the log has to lie there too, and without the key can put back only what was once noted.
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
    /** Replaces it as a whole, and waits until that would outlive a power cut. STORAGE_FULL where it cannot. */
    write(head) {
      try {
        privateFile(partial);
        writeFileSync(partial, `${noteText(head)}\n`);
        syncPath(partial);
        renameSync(partial, file);
        syncPath(dirname(file));
      } catch (cause) {
        throw new ToolError("STORAGE_FULL", "The end of the audit log cannot be noted", {
          hint: "Nothing is done that cannot be written down. The owner of the server has to make room on its disk.",
          cause,
        });
      }
    },
  };
}
