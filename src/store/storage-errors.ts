import { ToolError } from "../kernel/errors.ts";

/** The error of a write while the disk is full or failing. */
export const fullError = (cause: unknown): ToolError =>
  new ToolError("STORAGE_FULL", "Nothing can be stored: the disk is full or failing", {
    hint: "Calls that only read still work. The server owner has to free disk space.",
    cause,
  });

/** The error of a write to a PostgreSQL that accepts none. */
export const readOnlyError = (cause: unknown): ToolError =>
  new ToolError("STORAGE_FULL", "Nothing can be stored: the database accepts no writes", {
    hint: "Calls that only read still work. The server owner has to name the primary of PostgreSQL, or end its read-only mode.",
    cause,
  });

/** The error of a statement that meets damage, or of a write after that. */
export const damagedError = (cause?: unknown): ToolError =>
  new ToolError("STORAGE_DAMAGED", "Nothing is stored: the database is damaged", {
    hint: "Some calls that only read still work. The server owner has to restore a backup; the log has the commands.",
    cause,
  });

/** The error of a call that may succeed a moment later. Default hint: a retry. */
export const busyError = (cause: unknown, message: string, hint = "Retry in a moment."): ToolError =>
  new ToolError("STORAGE_BUSY", message, { hint, data: { retry_after: 1 }, cause });

export const LOCKED_MESSAGE = "Nothing was stored: another process is writing";
