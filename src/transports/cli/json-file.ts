import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "../../kernel/errors.ts";
import { readErrorText } from "../../lib/file-error.ts";
import { plainText } from "../../lib/plain-text.ts";

const MAX_FILE_BYTES = 64 * 1_024;

/**
 * Returns the content of the file for `@rules.json`; any other text unchanged. Throws INVALID_INPUT if the file is not
 * of the kind. Default: an object.
 */
export function jsonOrFile(
  flag: string,
  text: string,
  folder = ".",
  kind: "object" | "list" = "object",
): string {
  if (!text.startsWith("@")) return text;
  const path = text.slice(1);
  const errorFor = fileErrorFor(
    flag,
    path,
    `Pass @ and the path of a file with a JSON ${kind}, or the JSON itself.`,
  );
  const json = readText(resolve(folder, path), errorFor);
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && Array.isArray(value) === (kind === "list"))
      return json;
  } catch (cause) {
    throw errorFor("it is not valid JSON", cause);
  }
  throw errorFor(`it is not a JSON ${kind}`);
}

/**
 * Returns the content of the file for `@positions.csv`; any other text unchanged. Throws INVALID_INPUT if the file
 * cannot be read.
 */
export function textOrFile(flag: string, text: string, folder = "."): string {
  if (!text.startsWith("@")) return text;
  const path = text.slice(1);
  return readText(
    resolve(folder, path),
    fileErrorFor(flag, path, "Pass @ and the path of the file, or its text."),
  );
}

/** Decodes a file by its byte order mark, which is left out; UTF-8 without one. */
const decoded = (bytes: Uint8Array): string => {
  const [encoding = "utf-8"] =
    BYTE_ORDER_MARKS.find(([, ...mark]) => mark.every((b, i) => bytes[i] === b)) ?? [];
  return new TextDecoder(encoding).decode(bytes);
};
const BYTE_ORDER_MARKS: readonly (readonly [string, number, number])[] = [
  ["utf-16le", 0xff, 0xfe],
  ["utf-16be", 0xfe, 0xff],
];

type FileErrorFactory = (why: string, cause?: unknown) => ToolError;

const fileErrorFor =
  (flag: string, path: string, hint: string): FileErrorFactory =>
  (why, cause) =>
    new ToolError("INVALID_INPUT", `The file "${plainText(path, 200)}" for ${flag} cannot be used: ${why}`, {
      hint,
      cause,
    });

function readText(path: string, errorFor: FileErrorFactory): string {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw errorFor("it is not a regular file");
    if (stats.size > MAX_FILE_BYTES) throw errorFor("it is larger than 64 KB");
    return decoded(readFileSync(path));
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw errorFor(readErrorText(path, cause), cause);
  }
}
