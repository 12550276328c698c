import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";

const MAX_FILE_BYTES = 64 * 1_024;

/** Why a file cannot be read, by the system's code. */
const READ_ERROR_TEXT: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
};

/** The JSON object in a file that was named in place of it: `@rules.json`. Other text stays as it is. @throws ToolError INVALID_INPUT where the file holds none */
export function jsonOrFile(flag: string, text: string, folder = "."): string {
  if (!text.startsWith("@")) return text;
  const path = text.slice(1);
  const refused = fileErrorFor(
    flag,
    path,
    "Say @ and where a file with a JSON object is, or the JSON itself.",
  );
  const said = readText(resolve(folder, path), refused);
  try {
    const value: unknown = JSON.parse(said);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return said;
  } catch (cause) {
    throw refused("it holds no valid JSON", cause);
  }
  throw refused("it holds JSON that is no object");
}

/** The text of a file that was named in place of it: `@positions.csv`. Other text stays as it is. @throws ToolError INVALID_INPUT where it cannot be read */
export function textOrFile(flag: string, text: string, folder = "."): string {
  if (!text.startsWith("@")) return text;
  const path = text.slice(1);
  return readText(
    resolve(folder, path),
    fileErrorFor(flag, path, "Say @ and where the file is, or its text."),
  );
}

type FileErrorFactory = (why: string, cause?: unknown) => ToolError;

const fileErrorFor =
  (flag: string, path: string, hint: string): FileErrorFactory =>
  (why, cause) =>
    new ToolError("INVALID_INPUT", `The file "${plainText(path, 200)}" for ${flag} cannot be used: ${why}`, {
      hint,
      cause,
    });

function readText(path: string, refused: FileErrorFactory): string {
  try {
    const facts = statSync(path);
    if (!facts.isFile()) throw refused("it is no plain file");
    if (facts.size > MAX_FILE_BYTES) throw refused("it is larger than 64 KB");
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    const { code = "" } = cause as NodeJS.ErrnoException;
    throw refused(READ_ERROR_TEXT[code] ?? code, cause);
  }
}
