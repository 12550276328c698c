import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";

const MOST_BYTES = 64 * 1_024;

/** Why a file cannot be read, by the system's code. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
};

/** The JSON object in a file that was named in place of it: `@rules.json`. Other text stays as it is. @throws ToolError INVALID_INPUT where the file holds none */
export function jsonOrFile(flag: string, text: string, folder = "."): string {
  if (!text.startsWith("@")) return text;
  const path = text.slice(1);
  const refused = refusal(flag, path, "Say @ and where a file with a JSON object is, or the JSON itself.");
  const said = contentOf(resolve(folder, path), refused);
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
  return contentOf(resolve(folder, path), refusal(flag, path, "Say @ and where the file is, or its text."));
}

type Refused = (why: string, cause?: unknown) => ToolError;

const refusal =
  (flag: string, path: string, hint: string): Refused =>
  (why, cause) =>
    new ToolError("INVALID_INPUT", `The file "${plainText(path, 200)}" for ${flag} cannot be used: ${why}`, {
      hint,
      cause,
    });

function contentOf(path: string, refused: Refused): string {
  try {
    const facts = statSync(path);
    if (!facts.isFile()) throw refused("it is no plain file");
    if (facts.size > MOST_BYTES) throw refused("it is larger than 64 KB");
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    const { code = "" } = cause as NodeJS.ErrnoException;
    throw refused(WHY[code] ?? code, cause);
  }
}
