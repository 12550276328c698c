import { ToolError } from "../../kernel/errors.ts";
import { busyError, damagedError, fullError, LOCKED_MESSAGE, readOnlyError } from "../storage-errors.ts";
import type { StorageMonitor } from "../storage-monitor.ts";

/** No space, or no memory. */
const FULL = /^(53100|53200)$/;
const READ_ONLY = "25006";
const DAMAGED = /^XX00[12]$/;
/** Another transaction holds what this one needs for too long. */
const LOCKED = /^(40001|40P01|55P03)$/;
/** Connections refused, broken or all taken; a server that starts or stops; a statement that took too long. */
const UNREACHABLE = /^(08...|57P..|57014|53300|E[A-Z_]+)$/;
const DISCONNECTED =
  /Connection terminated|Client has encountered a connection error|timeout exceeded|Query read timeout/;
const NO_SUCH_CHARACTER = "22021";

/**
 * Converts the error of a statement and records its fault; returns any other error unchanged. `isWrite`: the statement
 * changes rows outside a transaction, or ends one, so that without a response it is unknown whether it took effect.
 */
export function storageError(
  cause: unknown,
  monitor: Pick<StorageMonitor, "full" | "damaged">,
  { isWrite }: { readonly isWrite: boolean },
): unknown {
  if (!(cause instanceof Error)) return cause;
  const { code = "" } = cause as { readonly code?: string };
  if (FULL.test(code) || code === READ_ONLY) {
    monitor.full(cause);
    return code === READ_ONLY ? readOnlyError(cause) : fullError(cause);
  }
  if (DAMAGED.test(code)) {
    monitor.damaged(cause);
    return damagedError(cause);
  }
  if (LOCKED.test(code)) return busyError(cause, LOCKED_MESSAGE);
  if (code === NO_SUCH_CHARACTER)
    return new ToolError("INVALID_INPUT", "The text has a character that cannot be stored", {
      hint: "Remove the character U+0000 from the text.",
      cause,
    });
  if (!UNREACHABLE.test(code) && !DISCONNECTED.test(cause.message)) return cause;
  const isKnown = !isWrite || code === "57014" || code === "53300";
  return isKnown
    ? busyError(cause, "Nothing was stored: the database does not answer")
    : busyError(
        cause,
        "The database stopped answering: it is unknown whether the change was stored",
        "Read the object back before a retry.",
      );
}
