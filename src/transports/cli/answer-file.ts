import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { MediaFile } from "../../domain/media.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { fileFormatOf, fileNameOf } from "../media.ts";

interface AnswerFileOptions {
  /** Path of the file, which is replaced if it exists. Default: a new file named after the tool and its input. */
  readonly path: string | undefined;
  readonly given: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly folder: string | undefined;
}

/** Reason why a file cannot be written, by system error code. */
const WRITE_ERROR_TEXT: Readonly<Record<string, string>> = {
  ENOENT: "the folder does not exist",
  ENOTDIR: "the folder does not exist",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

/**
 * Writes the file of a result and returns its absolute path. Throws CONFLICT if the default file exists, INVALID_INPUT
 * if it cannot be written.
 */
export function writeAnswerFile(
  tool: Tool,
  media: MediaFile,
  { path: requested, given, result, folder = "." }: AnswerFileOptions,
): string {
  const format = fileFormatOf(tool) ?? { mime: media.mime, extension: "bin" };
  const name = requested ?? fileNameOf(tool, given, result, format);
  const path = resolve(folder, name);
  try {
    writeFileSync(path, Buffer.from(media.base64, "base64"), { flag: requested === undefined ? "wx" : "w" });
    return path;
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new ToolError("CONFLICT", `${name} already exists and was not changed`, {
        hint: `Use --out ${name} to replace it, or --out with another name.`,
        cause,
      });
    throw new ToolError("INVALID_INPUT", `The file cannot be written: ${WRITE_ERROR_TEXT[code] ?? code}`, {
      hint: "Choose another path with --out.",
      cause,
    });
  }
}
