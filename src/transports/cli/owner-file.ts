import { closeSync, openSync, writeSync } from "node:fs";
import { ToolError } from "../../kernel/errors.ts";
import { fileErrorCode, writeErrorText } from "../../lib/file-error.ts";

/** Creates a new file that only its owner can read. Throws CONFLICT if it exists. */
export function createOwnerFile(path: string) {
  try {
    const handle = openSync(path, "wx", 0o600);
    return { write: (text: string) => void writeSync(handle, text), close: () => closeSync(handle) };
  } catch (cause) {
    const exists = fileErrorCode(cause) === "EEXIST";
    const message = `${path} ${exists ? "already exists" : `cannot be written: ${writeErrorText(path, cause)}`}`;
    const hint = "Choose a new file with --out.";
    throw new ToolError(exists ? "CONFLICT" : "INVALID_INPUT", message, { hint, cause });
  }
}
